import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { fetchScreen } from './routes.tsx'
import { applyRememberedBrand } from './shell/theme/brand-theme.ts'
import { newQueryClient } from './api/query-client.tsx'
import { onOtherTabs, onStaleReturn, signedIn } from './api/session.ts'
import './shell/theme/tokens.css'

/** Starts the signed-in app in the page's root element. */
const start = (root: HTMLElement): void => {
  applyRememberedBrand()
  fetchScreen(location.pathname)
  onOtherTabs(() => location.reload())
  const queryClient = newQueryClient()
  onStaleReturn(() => location.reload())
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && signedIn()) void queryClient.invalidateQueries() // something may have been paid since the browser put it aside
  })
  createRoot(root).render(<App queryClient={queryClient} />)
}

const root = document.getElementById('root')
if (root !== null) start(root)
