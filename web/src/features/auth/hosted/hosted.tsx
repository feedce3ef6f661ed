import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import type * as clerk from './clerk.tsx'
import { waiting } from './waiting.tsx'

type Clerk = typeof clerk
const load = <Name extends keyof Clerk>(name: Name) =>
  lazy(() => import('./clerk.tsx').then((module) => ({ default: module[name] })))

const HostedFrame = load('HostedFrame')
const HostedSession = load('HostedSession')
const widgets = {
  'sign-in': load('HostedSignIn'),
  'sign-up': load('HostedSignUp'),
  profile: load('HostedProfile'),
  switcher: load('HostedSwitcher'),
}

/** A form of the hosted provider on a page of its own. */
export function Hosted({ part }: { part: keyof typeof widgets }) {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const Widget = widgets[part]
  if (!capabilities) return waiting
  if (!capabilities.hosted) {
    return (
      <EmptyState title="The identity provider is not set up">
        This server does not say which application of the provider it belongs to. Ask your administrator.
      </EmptyState>
    )
  }
  return (
    <Suspense fallback={waiting}>
      <HostedFrame publishableKey={capabilities.hosted.publishable_key} notice={part === 'switcher' ? 'none' : 'page'}>
        <Widget />
      </HostedFrame>
    </Suspense>
  )
}

interface GateProps {
  publishableKey: string
  children: ReactNode
  loading: ReactNode
}

/** What every signed-in page sits in where the hosted provider signs people in. */
export function HostedGate({ publishableKey, children, loading }: GateProps) {
  return (
    <Suspense fallback={loading}>
      <HostedFrame publishableKey={publishableKey} notice="screen">
        <HostedSession loading={loading}>{children}</HostedSession>
      </HostedFrame>
    </Suspense>
  )
}

/** The organisation switcher inside the shell, whose frame is there already. */
export function ShellSwitcher() {
  const Switcher = widgets.switcher
  return (
    <Suspense fallback={null}>
      <Switcher />
    </Suspense>
  )
}

/** Ends the session at the hosted provider, whose script keeps itself in the window. */
export async function hostedSignOut(to: string): Promise<void> {
  const { Clerk: provider } = window as unknown as {
    Clerk?: { signOut(options: { redirectUrl: string }): Promise<void> }
  }
  await provider?.signOut({ redirectUrl: to })
}
