import { useAccess } from '@/api/access.tsx'
import { useFilters } from '@/lib/use-filters.ts'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import { AuditLog } from './audit-log.tsx'
import { UserTable } from './user-table.tsx'
import { userFilters } from './users.filters.ts'

/** People who can sign in, what they may do, and what was done. */
export function UsersPage() {
  const { roles, capabilities } = useAccess()
  const [{ tab }, setFilters] = useFilters(userFilters)
  const hasAudit = roles.includes('admin') && capabilities.version !== ''
  if (!hasAudit) return <UserTable />
  return (
    <Tabs
      aria-label="Users and audit log"
      value={tab}
      onChange={(next) =>
        setFilters({ tab: next === 'audit' ? 'audit' : 'users', query: '', pageIndex: 0 }, { push: true })
      }
      className="h-full"
      listClassName="bg-surface px-4"
      tabs={[
        { value: 'users', label: 'Users' },
        { value: 'audit', label: 'Audit log' },
      ]}
    >
      <TabPanel value="users">
        <UserTable />
      </TabPanel>
      <TabPanel value="audit">
        <AuditLog />
      </TabPanel>
    </Tabs>
  )
}
