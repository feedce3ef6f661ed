import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

const catalog = { access: read('database'), feature: 'config' } as const
const settings = { access: read('config_scrapers'), feature: 'settings.config_scraper' } as const
const pages = () => import('./scraper-pages.tsx')

export const routes: AreaRoute[] = [
  { path: paths.scrapers, title: 'Scrapers', ...catalog, page: async () => (await pages()).CatalogScrapersPage },
  { path: '/catalog/scrapers/:id', title: 'Scraper', ...catalog, page: async () => (await pages()).CatalogScraperPage },
  {
    path: paths.settingsTable('config_scrapers'),
    title: 'Catalog Scrapers',
    ...settings,
    page: async () => (await pages()).ScraperSettingsListPage,
  },
  {
    path: '/settings/config_scrapers/:id',
    title: 'Catalog scraper',
    ...settings,
    page: async () => (await pages()).ScraperSettingsPage,
  },
]
