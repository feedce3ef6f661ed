import { Ellipsis, Filter, Pencil, Plus, Table2, LayoutGrid, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Dialog, DialogClose, type DialogSize, dialogWidths } from '../dialog.tsx'
import { Drawer } from '../drawer.tsx'
import { IconButton } from '../icon-button.tsx'
import { Input, SearchInput } from '../input.tsx'
import { Menu, MenuCheckboxItem, MenuGroup, MenuItem, MenuRadioGroup, MenuSeparator, Submenu } from '../menu.tsx'
import { toOptions } from '../option.ts'
import { Popover } from '../popover.tsx'
import { Segmented } from '../segmented.tsx'
import { Select } from '../select.tsx'
import { Switch } from '../switch.tsx'
import { TabPanel, Tabs } from '../tabs.tsx'
import { Textarea } from '../textarea.tsx'
import { toast } from '../toast.tsx'
import { TriStateToggle, type TriStateValue } from '../tri-state-toggle.tsx'
import { Block, Row } from './block.tsx'

export function Controls() {
  const [text, setText] = useState('')
  const [group, setGroup] = useState('namespace')
  const [on, setOn] = useState(true)
  const [tab, setTab] = useState('history')
  const [view, setView] = useState<'table' | 'cards'>('table')
  const [tri, setTri] = useState<TriStateValue>(1)
  const [size, setSize] = useState<DialogSize>()
  const [drawer, setDrawer] = useState(false)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Block title="Buttons">
        <Row>
          <Button variant="primary" icon={Plus}>
            Add agent
          </Button>
          <Button icon={Pencil}>Edit</Button>
          <Button variant="ghost">Cancel</Button>
          <Button variant="danger" icon={Trash2}>
            Delete
          </Button>
          <Button variant="primary" loading>
            Saving
          </Button>
          <Button disabled>Disabled</Button>
          <Button size="sm">Small</Button>
          <IconButton icon={Filter} label="Filter" />
          <IconButton icon={Ellipsis} label="More" variant="secondary" />
          <IconButton icon={Plus} label="Add" size="sm" />
        </Row>
      </Block>
      <Block title="Fields">
        <div className="grid max-w-3xl grid-cols-1 gap-3 sm:grid-cols-3">
          <Input aria-label="Name" placeholder="Name" />
          <Input aria-label="Invalid" defaultValue="wrong" aria-invalid />
          <Input aria-label="Disabled" defaultValue="read only" disabled />
          <SearchInput aria-label="Search" placeholder="Search checks" value={text} onValueChange={setText} />
          <Input aria-label="Timeout" defaultValue="30" suffix={<span className="text-xs text-subtle">seconds</span>} />
          <Select
            aria-label="Group by"
            prefix="Group by"
            value={group}
            onChange={setGroup}
            options={toOptions(['namespace', 'canary_name', 'type', 'description'])}
          />
          <Textarea aria-label="Description" placeholder="Description" className="sm:col-span-2" />
        </div>
        <div className="mt-4 flex flex-wrap items-center gap-6">
          <Checkbox label="Skip TLS verification" checked={on} onCheckedChange={setOn} />
          <Checkbox label="Some" indeterminate />
          <Checkbox label="Off" />
          <Checkbox label="Disabled" disabled checked />
          <Switch label="Hide passing" checked={on} onCheckedChange={setOn} />
          <Switch label="Off" />
          <Segmented
            aria-label="View"
            value={view}
            onChange={setView}
            options={[
              { value: 'table', label: 'Table', icon: Table2 },
              { value: 'cards', label: 'Cards', icon: LayoutGrid },
            ]}
          />
          <TriStateToggle label="production" value={tri} onChange={setTri} />
        </div>
      </Block>
      <Block title="Tabs">
        <Tabs
          aria-label="Check"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'history', label: 'History', count: 1240 },
            { value: 'graph', label: 'Graph' },
            { value: 'spec', label: 'Spec' },
            { value: 'relationships', label: 'Relationships', count: 3 },
          ]}
        >
          <TabPanel value={tab} className="py-3 text-sm text-muted">
            Content of {tab}
          </TabPanel>
        </Tabs>
      </Block>
      <Block title="Floating">
        <Row>
          <Menu trigger={<Button>Menu</Button>} align="start">
            <MenuGroup label="Check">
              <MenuItem icon={Pencil} hint="E">
                Edit
              </MenuItem>
              <MenuItem icon={Trash2} danger>
                Delete
              </MenuItem>
            </MenuGroup>
            <MenuSeparator />
            <MenuCheckboxItem checked={on} onCheckedChange={setOn}>
              Hide passing
            </MenuCheckboxItem>
            <Submenu label="Group by">
              <MenuRadioGroup value={group} onChange={setGroup} options={toOptions(['namespace', 'type'])} />
            </Submenu>
          </Menu>
          <Popover trigger={<Button>Popover</Button>} title="Preferences">
            <Switch label="Hide deleted" checked={on} onCheckedChange={setOn} />
          </Popover>
          {(Object.keys(dialogWidths) as DialogSize[]).map((each) => (
            <Button key={each} onClick={() => setSize(each)}>
              Dialog {each}
            </Button>
          ))}
          <Button onClick={() => setDrawer(true)}>Drawer</Button>
          <Button variant="danger" onClick={() => setAsking(true)}>
            Confirm
          </Button>
          <Button onClick={() => toast.success('Agent created')}>Toast success</Button>
          <Button
            onClick={() =>
              toast.error('Connection refused: could not reach the database at 10.0.0.4:5432 within 5 seconds')
            }
          >
            Toast error
          </Button>
          <Button onClick={() => toast.info('A new version is available')}>Toast info</Button>
        </Row>
      </Block>
      <Dialog
        open={size !== undefined}
        onOpenChange={() => setSize(undefined)}
        size={size}
        title="Download and install kubeconfig"
        description="Two steps, a minute of your time."
        footer={
          <>
            <DialogClose render={<Button>Cancel</Button>} />
            <Button variant="primary">Save</Button>
          </>
        }
      >
        <p className="text-sm">The content of a dialog. Focus is trapped and goes back to the button afterwards.</p>
        <Input aria-label="Name" className="mt-3" />
      </Dialog>
      <Drawer
        open={drawer}
        onOpenChange={setDrawer}
        title="http-single"
        size="large"
        footer={<Button variant="primary">Run now</Button>}
      >
        <p className="text-sm">Details of a check.</p>
      </Drawer>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete agent eu-west?"
        confirmLabel="Delete agent"
        onConfirm={() => new Promise((done) => setTimeout(done, 600))}
      >
        Everything it reported stays. The agent can no longer push data.
      </ConfirmDialog>
    </>
  )
}
