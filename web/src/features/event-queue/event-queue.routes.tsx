import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.eventQueue,
    title: 'Event Queue',
    access: read('database'),
    feature: 'settings.event_queue_status',
    page: () => import('./event-queue-page.tsx').then((module) => module.EventQueuePage),
  },
]
