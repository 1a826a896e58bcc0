import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { LinkButton } from '../../ui/button/link-button.tsx'
import styles from '../app.module.css'
import { NoConnection } from './no-connection.tsx'
import { ServerUnreachable } from '../../api/load-module.ts'

type Status = 'ok' | 'failed' | 'unreachable'

/** Catches errors of rendering a screen and of loading its chunk, and offers a way back. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { status: Status }> {
  override state: { status: Status } = { status: 'ok' }

  static getDerivedStateFromError(error: unknown): { status: Status } {
    return { status: error instanceof ServerUnreachable ? 'unreachable' : 'failed' }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render(): ReactNode {
    const { status } = this.state
    if (status === 'unreachable') return <NoConnection />
    return status === 'failed' ? <ErrorScreen /> : this.props.children
  }
}

/** Says that the page could not be shown, with Reload and the way to the start page. */
const ErrorScreen = () => (
  <div className={styles.lost} role="alert">
    <h1 className={styles.title}>This page could not be shown</h1>
    <p>Something went wrong on our side. Loading the page again usually helps; nothing that you saved is lost.</p>
    <div className={styles.choices}>
      <Button onPress={() => location.reload()}>Reload</Button>
      <LinkButton kind="quiet" href="/">
        Go to the start page
      </LinkButton>
    </div>
  </div>
)
