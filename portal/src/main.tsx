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
  addEventListener('pageshow', leaveStalePage)
  createRoot(root).render(<App queryClient={newQueryClient()} />)
}

/** The back button can bring a page back as it stood before its session ended. */
const leaveStalePage = ({ persisted }: PageTransitionEvent): void => {
  if (persisted && !signedIn()) location.reload()
}

const root = document.getElementById('root')
if (root !== null) start(root)
