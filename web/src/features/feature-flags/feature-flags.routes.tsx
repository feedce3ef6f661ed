import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.featureFlags,
    title: 'Feature Flags',
    access: read('feature_flags'),
    feature: 'settings.feature_flags',
    page: () => import('./feature-flags-page.tsx').then((module) => module.FeatureFlagsPage),
  },
]
