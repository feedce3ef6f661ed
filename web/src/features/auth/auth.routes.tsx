import type { AreaRoute } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.login,
    title: 'Login',
    frame: 'account',
    page: () => import('./login-page.tsx').then((module) => module.LoginPage),
  },
  {
    path: paths.recovery,
    title: 'Recovery',
    frame: 'account',
    page: () => import('./account-pages.tsx').then((module) => module.RecoveryPage),
  },
  {
    path: paths.registration,
    title: 'Register',
    frame: 'account',
    page: () => import('./account-pages.tsx').then((module) => module.RegistrationPage),
  },
  {
    path: paths.verification,
    title: 'Verification',
    frame: 'account',
    page: () => import('./account-pages.tsx').then((module) => module.VerificationPage),
  },
  {
    path: paths.profileSettings,
    title: 'Profile Management and Security Settings',
    frame: 'account',
    page: () => import('./profile-settings-page.tsx').then((module) => module.ProfileSettingsPage),
  },
  {
    path: '/auth-state-checker',
    title: 'Checking your session',
    frame: 'account',
    page: () => import('./auth-state-checker-page.tsx').then((module) => module.AuthStateCheckerPage),
  },
  {
    path: paths.orgsSwitched,
    title: 'Switching organisation',
    frame: 'account',
    page: () => import('./orgs-switched-page.tsx').then((module) => module.OrgsSwitchedPage),
  },
  {
    path: paths.error,
    title: 'Error',
    frame: 'account',
    page: () => import('./error-page.tsx').then((module) => module.ErrorPage),
  },
  {
    path: '/error/:id',
    title: 'Error',
    frame: 'account',
    page: () => import('./error-page.tsx').then((module) => module.ErrorPage),
  },
]
