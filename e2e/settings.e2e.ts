import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/test.ts'

const table = (page: Page, name: string) => page.getByRole('table', { name })
const row = (page: Page, name: string, text: string) => table(page, name).getByRole('row').filter({ hasText: text })
const told = (page: Page, text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text)

async function removePerson(api: APIRequestContext, email: string) {
  await api.delete(`/api/db/identities?traits->>email=eq.${encodeURIComponent(email)}`)
}

test('[JOBS-01] [JOBS-04] the history of jobs hides successes until asked, and every filter acts', async ({
  as,
  expectAccessible,
}) => {
  const page = await as('admin')
  await page.goto('/settings/jobs')
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs History' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Status.*not Success/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /Last 2 days/ })).toBeVisible()

  // The server's own jobs run at its start.
  await page.goto('/settings/jobs?status=SUCCESS:1')
  await expect(table(page, 'Job history').getByText('Success').first()).toBeVisible()
  await expect(table(page, 'Job history').getByText('Failed', { exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/settings/jobs?status=all&name=NoSuchJob:1')
  await expect(page.getByText('No run matches these filters')).toBeVisible()
})

test('[EVQ-01] the event queue opens for everybody who may read it', async ({ as, expectAccessible }) => {
  const page = await as('editor')
  await page.goto('/settings/event-queue-status')
  await expect(page.getByRole('heading', { level: 1, name: 'Event Queue' })).toBeVisible()
  await expect(table(page, 'Event queue')).toBeVisible()
  await expectAccessible(page)
})

test('[USER-01] [USER-02] [USER-07] an administrator invites somebody with a role, hands over the link, changes the role and deletes the account', async ({
  as,
  api,
  browser,
  productUrl,
  expectAccessible,
}) => {
  const email = 'mary.shaw@example.test'
  const admin = await api('admin')
  await removePerson(admin, email)
  const page = await as('admin')
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'Invite User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite User' })
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog.getByText('Please provide valid first name')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('First name').fill('Mary')
  await dialog.getByLabel('Last name').fill('Shaw')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').click()
  await page.getByRole('option', { name: 'commander' }).click()
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(told(page, 'Mary Shaw invited successfully')).toBeVisible()
  const link = (await page.getByTestId('sign-in-link').textContent())!
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, 'Users', email)).toContainText('commander')

  // The link opens the account for its holder.
  const guest = await browser.newContext({ baseURL: productUrl })
  const theirs = await guest.newPage()
  await theirs.goto(link)
  await expect(
    theirs
      .getByRole('textbox', { name: /password/i })
      .or(theirs.getByLabel(/password/i))
      .first(),
  ).toBeVisible()
  await guest.close()

  await row(page, 'Users', email).click()
  const panel = page.getByRole('dialog', { name: 'What can Mary Shaw do, and why?' })
  await expect(panel.getByRole('row', { name: /^incident / })).toContainText('as commander')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Actions for Mary Shaw' }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  await page.getByRole('dialog').getByLabel(/^Role/).click()
  await page.getByRole('option', { name: 'viewer' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(told(page, 'Mary Shaw role updated successfully')).toBeVisible()
  await expect(row(page, 'Users', email)).toContainText('viewer')

  await page.getByRole('button', { name: 'Actions for Mary Shaw' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(told(page, 'user deleted successfully')).toBeVisible()
  await expect(row(page, 'Users', email)).toHaveCount(0)

  await page.getByRole('tab', { name: 'Audit log' }).click()
  await expect(row(page, 'Audit log', 'Deleted a person').first()).toContainText(email)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('audit-log.csv')
})

test('the last administrator stays, in the words of the server', async ({ as }) => {
  const page = await as('admin')
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'Actions for Admin' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('This is your own account')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(told(page, 'The last administrator cannot be deleted')).toBeVisible()
  await expect(told(page, 'user deleted successfully')).toHaveCount(0)
})

test('who may not manage users does not get the page', async ({ as }) => {
  const page = await as('editor')
  await page.goto('/settings/users')
  await expect(page.getByRole('button', { name: 'Invite User' })).toHaveCount(0)
  await expect(table(page, 'Users')).toHaveCount(0)
})

test('[TEAM-01] [TEAM-02] [TEAM-03] [TEAM-05] a team is made, gets members, loses one of them from itself only, and is deleted', async ({
  as,
  api,
  expectAccessible,
}) => {
  const admin = await api('admin')
  const name = `Payments ${Date.now()}`
  const other = `Other ${Date.now()}`
  const me = (await (await admin.get('/api/auth/whoami')).json()) as { payload: { user: { id: string } } }
  const [otherTeam] = (await (
    await admin.post('/api/db/teams', {
      data: { name: other, source: 'UI', spec: {}, created_by: me.payload.user.id },
      headers: { prefer: 'return=representation' },
    })
  ).json()) as [{ id: string }]
  const [vera] = (await (await admin.get('/api/db/people?name=eq.Vera%20Viewer')).json()) as [{ id: string }]
  await admin.post('/api/db/team_members', { data: { team_id: otherTeam.id, person_id: vera.id } })

  const page = await as('admin')
  await page.goto('/settings/teams')
  await page.getByRole('button', { name: 'Add Team' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Team' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row(page, 'Teams', name).click()
  await expect(page.getByRole('tab', { name: 'Spec' })).toBeVisible()
  await page.getByRole('tab', { name: 'Members' }).click()
  await expect(page.getByText("You haven't added any team members to the team yet")).toBeVisible()
  await page.getByRole('button', { name: 'Add users' }).click()
  const adding = page.getByRole('dialog', { name: 'Add users to the team' })
  await adding.getByRole('button', { name: /^Users/ }).click()
  await page.getByRole('option', { name: /Vera Viewer/ }).click()
  await page.keyboard.press('Escape')
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(told(page, 'Vera Viewer added to the team successfully')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove Vera Viewer from the team' }).click()
  await expect(told(page, 'Vera Viewer removed from team successfully')).toBeVisible()
  const left = await (await admin.get(`/api/db/team_members?team_id=eq.${otherTeam.id}`)).json()
  expect(left).toHaveLength(1)

  await page.getByRole('tab', { name: 'Spec' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/settings/teams')
  await expect(row(page, 'Teams', name)).toHaveCount(0)
  await admin.patch(`/api/db/teams?id=eq.${otherTeam.id}`, { data: { deleted_at: 'now()' } })
})

test('[SETG-02] every settings table has its list', async ({ as }) => {
  test.slow()
  const page = await as('admin')
  for (const [path, heading] of [
    ['topologies', 'Topologies'],
    ['connections', 'Connections'],
    ['logging_backends', 'Log Backends'],
    ['notifications', 'Notifications'],
    ['properties', 'Properties'],
    ['canaries', 'Health Checks'],
    ['config_scrapers', 'Catalog Scrapers'],
    ['incident_rules', 'Rules'],
    ['teams', 'Teams'],
  ]) {
    await page.goto(`/settings/${path}`)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('table').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Add/ }).first()).toBeVisible()
  }
})

test('[SETG-22] [RBAC-11] [RBAC-17] a rule is added, refused in the words of the server, told apart from another of its name, and read by a viewer', async ({
  as,
  api,
  expectAccessible,
}) => {
  const name = `rule-${Date.now()}`
  const admin = await api('admin')
  const page = await as('editor')
  await page.goto('/settings/incident_rules')
  await page.getByRole('button', { name: 'Add Rule' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Rule' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This field is required').first()).toBeVisible()
  await dialog.getByLabel('Name').fill(name)
  const editor = dialog.getByRole('textbox', { name: 'Spec' })
  await editor.click()
  await editor.pressSequentially('{filter: {status: unhealthy}}')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'spec.filter.status' })).toBeVisible()
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await editor.pressSequentially('{filter: {status: [unhealthy]}}')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(told(page, `${name} added successfully`)).toBeVisible()
  await expect(dialog).toBeHidden()

  const twice = await admin.post('/api/db/incident_rules', { data: { name, spec: {} } })
  expect(twice.status()).toBe(409)
  expect(((await twice.json()) as { message: string }).message).toBe(`There is a rule called ${name} already`)

  const [stored] = (await (await admin.get(`/api/db/incident_rules?name=eq.${name}`)).json()) as [{ id: string }]
  const viewer = await as('viewer')
  await viewer.goto(`/settings/incident_rules/${stored.id}`)
  await expect(viewer.getByLabel('Name')).toHaveValue(name)
  await expect(viewer.getByRole('button', { name: /^(Update|Delete)$/ })).toHaveCount(0)
  await expectAccessible(viewer)

  await row(page, 'Rules', name).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/settings/incident_rules')
  await expect(row(page, 'Rules', name)).toHaveCount(0)
})

test('two people edit one topology: the second sees what the first changed, and decides', async ({ as, api }) => {
  const name = `shared-${Date.now()}`
  const admin = await api('admin')
  const [stored] = (await (
    await admin.post('/api/db/topologies', {
      data: { name, namespace: 'default', spec: { icon: 'server' }, source: 'UI' },
      headers: { prefer: 'return=representation' },
    })
  ).json()) as [{ id: string }]
  const page = await as('editor')
  await page.goto(`/settings/topologies/${stored.id}`)
  await expect(page.getByRole('button', { name: 'Update' })).toBeEnabled()
  await admin.patch(`/api/db/topologies?id=eq.${stored.id}`, { data: { spec: { icon: 'database' } } })
  await page.getByRole('button', { name: 'Update' }).click()
  const conflict = page.getByRole('dialog', { name: `Somebody else changed ${name}` })
  await expect(conflict).toBeVisible()
  await conflict.getByRole('button', { name: 'Reload' }).click()
  await expect(conflict).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Spec' })).toContainText('database')
  await admin.patch(`/api/db/topologies?id=eq.${stored.id}`, { data: { deleted_at: 'now()' } })
})

test('an administrator looks at the figures of a job and runs it', async ({ as, expectAccessible }) => {
  const page = await as('admin')
  await page.goto('/settings/jobs')
  await page.getByRole('link', { name: 'Statistics' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Statistics' })).toBeVisible()
  await expect(row(page, 'Jobs', 'CleanupQueue')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Run CleanupQueue now' }).click()
  await expect(told(page, 'CleanupQueue starts now')).toBeVisible()
  await page.getByRole('link', { name: 'CleanupQueue' }).click()
  await expect(page).toHaveURL(/\/settings\/jobs\?name=CleanupQueue/)
  await expect(row(page, 'Job history', 'CleanupQueue').first()).toBeVisible()
})
