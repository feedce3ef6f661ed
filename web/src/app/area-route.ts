import type { Feature } from '@quarterdeck/contract/features'
import type { Action, Resource } from '@quarterdeck/contract/permissions'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'

/** Loads a page when it is first needed: `() => import('./x-page.tsx').then((m) => m.XPage)`. */
export type PageLoader = () => Promise<ComponentType>

/**
 * One address of the console as data. An area lands by exporting `routes: AreaRoute[]` from
 * features/{area}/{area}.routes.tsx; the shell finds the file by its name.
 */
export interface AreaRoute {
  /** Whole pattern, for example /catalog/:id/changes. */
  path: string
  /** Heading, browser tab and last breadcrumb; a page of one thing replaces it with usePageName. */
  title: string
  /** Where the breadcrumb leads, when that is not the page itself. */
  crumbTo?: string
  /** What the visitor must be allowed to do; absent means any signed-in person. */
  access?: readonly [action: Action, resource: Resource]
  /** Gone while this feature is switched off. */
  feature?: Feature
  /**
   * `shell` (the default) has menu and header. `standalone` needs a session but shows nothing around the page and does
   * not wait for feature flags. `account` is open to everybody: sign-in and what belongs to it.
   */
  frame?: 'shell' | 'standalone' | 'account'
  page: PageLoader
  /** Starts loading what the page will show, when a link to it is hovered or focused. */
  prefetch?: (queries: QueryClient, address: URL, params: Readonly<Record<string, string | undefined>>) => unknown
}

export const read = (resource: Resource) => ['read', resource] as const
export const write = (resource: Resource) => ['write', resource] as const
