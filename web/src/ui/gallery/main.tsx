import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import '../theme.css'
import { Gallery } from './gallery.tsx'

const theme = new URLSearchParams(location.search).get('theme')
if (theme) document.documentElement.dataset.theme = theme

createRoot(document.getElementById('root')!).render(
  <MemoryRouter>
    <Gallery />
  </MemoryRouter>,
)
