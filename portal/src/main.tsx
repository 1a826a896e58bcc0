import type { QueryClient } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { fetchScreen } from './routes.tsx'
import { applyRememberedBrand } from './shell/brand-theme.ts'
import { newQueryClient } from './shell/failures.tsx'
import { onOtherTabs, signedIn } from './shell/session.ts'
import './shell/tokens.css'

/** Starts the signed-in app in the page's root element. */
const start = (root: HTMLElement): void => {
  applyRememberedBrand()
  fetchScreen(location.pathname)
  onOtherTabs(() => location.reload())
  const queryClient = newQueryClient()
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) refresh(queryClient)
  })
  createRoot(root).render(<App queryClient={queryClient} />)
}

/** The back button can bring a page back as it was left: before its session ended, or before something was paid. */
const refresh = (queryClient: QueryClient): void => {
  if (signedIn()) void queryClient.invalidateQueries()
  else location.reload()
}

const root = document.getElementById('root')
if (root !== null) start(root)
