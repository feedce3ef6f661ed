import { relativeRange } from '@quarterdeck/contract/time-range'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { detailsTabs, type Job, resourcePath } from './job.ts'
import { JobDetailsDialog } from './job-details-dialog.tsx'
import { jobsRequest } from './job-history.queries.ts'
import { JobStatus, jobLook } from './job-status.tsx'

export const aJob = (over: Partial<Job> = {}): Job => ({
  id: 'j1',
  name: 'TopologyRun',
  agent: { id: '00000000-0000-0000-0000-000000000000', name: 'local' },
  resource_id: 't1',
  resource_type: 'topology',
  resource_name: 'shop',
  status: 'FAILED',
  time_start: '2026-01-01T09:00:00Z',
  duration_millis: 5012,
  success_count: 0,
  error_count: 1,
  created_at: '2026-01-01T09:00:05Z',
  details: { errors: ['timeout'] },
  ...over,
})

test.each([
  ['canary', '/settings/canaries/x'],
  ['config_scraper', '/catalog/scrapers/x'],
  ['catalog_scraper', '/catalog/scrapers/x'],
  ['topology', '/settings/topologies/x'],
  ['config', '/catalog/x'],
  ['playbook', '/playbooks/x'],
  ['something', undefined],
])('[JOBS-08] a run about a %s links to %s', (resource_type, path) => {
  expect(resourcePath(aJob({ resource_type, resource_id: 'x' }))).toBe(path)
  expect(resourcePath(aJob({ resource_type, resource_id: null }))).toBeUndefined()
})

test('[JOBS-07] states have the colours of the product, and a shape beside them', () => {
  expect(['RUNNING', 'WARNING', 'SUCCESS', 'FAILED', 'STOPPED', 'SKIPPED'].map(jobLook)).toEqual([
    'running',
    'warning',
    'success',
    'failed',
    'failed',
    'other',
  ])
  const colours = ['RUNNING', 'WARNING', 'SUCCESS', 'FAILED', 'STOPPED'].map((status) => {
    const { container, unmount } = render(<JobStatus status={status} />)
    const colour = /text-\w+/.exec(container.querySelector('svg')!.getAttribute('class')!)![0]
    unmount()
    return colour
  })
  expect(colours).toEqual(['text-running', 'text-warn', 'text-ok', 'text-bad', 'text-bad'])
})

describe('details of a run', () => {
  test('[JOBS-09] opens on the first tab that holds something: Errors, Scrape Summary, Reconcile Summary', async () => {
    const all = { errors: ['timeout', 'refused'], scrape_summary: { added: 3 }, summary: { changed: 1 } }
    const { unmount } = render(<JobDetailsDialog job={aJob({ details: all })} onClose={() => {}} />)
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Errors2',
      'Scrape Summary',
      'Reconcile Summary',
    ])
    expect(screen.getByRole('tab', { name: /Errors/ }).getAttribute('aria-selected')).toBe('true')
    expect(screen.getByText('refused')).toBeTruthy()
    await userEvent.click(screen.getByRole('tab', { name: 'Reconcile Summary' }))
    expect(screen.getByText(/changed/)).toBeTruthy()
    unmount()
    render(<JobDetailsDialog job={aJob({ details: { ...all, errors: [] } })} onClose={() => {}} />)
    expect(screen.getByRole('tab', { name: 'Scrape Summary' }).getAttribute('aria-selected')).toBe('true')
  })

  test('[JOBS-09] shows nothing when there is nothing to show', () => {
    for (const details of [null, {}, { errors: [], scrape_summary: {}, summary: null }]) {
      expect(detailsTabs({ details })).toEqual([])
      const { container, unmount } = render(<JobDetailsDialog job={aJob({ details })} onClose={() => {}} />)
      expect(container.ownerDocument.querySelector('[role=dialog]')).toBeNull()
      unmount()
    }
  })
})

test('[JOBS-11] the request carries every filter, the order and the page', () => {
  const now = new Date('2026-01-03T00:00:00Z')
  const asked = decodeURIComponent(
    jobsRequest(
      {
        pageIndex: 2,
        pageSize: 50,
        sort: { id: 'duration_millis', desc: false },
        name: { TopologyRun: 1 },
        status: { SUCCESS: -1 },
        resourceType: { topology: 1 },
        resourceId: 't1',
        atLeast: 5000,
        range: relativeRange('2d'),
      },
      now,
    ).toString(),
  )
  expect(asked).toBe(
    '/job_histories?select=*&limit=50&offset=100&order=duration_millis.asc&resource_type.filter=topology' +
      '&name.filter=TopologyRun&status.filter=!SUCCESS&resource_id=eq.t1&duration_millis=gte.5000' +
      '&and=(created_at.gt."2026-01-01T00:00:00.000Z",created_at.lt."2026-01-03T00:00:00.000Z")',
  )
  const plain = jobsRequest({ pageIndex: 0, pageSize: 50, sort: { id: 'password', desc: true } }).toString()
  expect(decodeURIComponent(plain)).toBe('/job_histories?select=*&limit=50&offset=0&order=created_at.desc')
})
