import { useEffect, useRef, useState } from 'react'
import type { DownloadedFile } from '../../../../api/call-api.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { SpinnerOverlay } from '../../../../ui/feedback/spinner.tsx'
import styles from './frame.module.css'
import { type FrameMessage, readFrameMessage } from './frame-message.ts'
import { frameUrlIn } from './template.ts'
import { useBriefText } from './use-brief-text.ts'

interface ProviderFrameProps {
  /** Loads the document with the frame; the same function until another one is to be loaded. */
  readonly loadTemplate: (signal: AbortSignal) => Promise<DownloadedFile>
  /** Something was stored or paid, as the server alone can say: read it. Afterwards another frame is loaded, if this is still shown. */
  readonly onAccepted: () => Promise<unknown>
  /** Nothing was stored or paid, or it is not known yet. */
  readonly onRefused?: () => Promise<unknown>
  /** The frame could not be loaded. Without it, a text says so for five seconds. */
  readonly onFailed?: () => void
}

const FAILED_TEXT = 'Our server returned error, try again later'

/** IPpay's own page in a frame of its origin. What is typed there never reaches this page. Each frame can be used once. */
export const ProviderFrame = ({ loadTemplate, onAccepted, onRefused, onFailed }: ProviderFrameProps) => {
  const [attempt, setAttempt] = useState(0)
  const [text, showText] = useBriefText()

  const handleMessage = async (message: FrameMessage): Promise<void> => {
    if (!message.isAccepted) showText(message.text)
    await (message.isAccepted ? onAccepted() : onRefused?.())
    setAttempt(attempt + 1)
  }
  return (
    <div className={styles.holder}>
      {/* Present before it has a text, so that screen readers announce it. */}
      <div role="alert">{text !== null && <p className={styles.warning}>{text}</p>}</div>
      <FrameAttempt
        key={attempt}
        loadTemplate={loadTemplate}
        onMessage={(message) => void handleMessage(message)}
        onFailed={() => (onFailed === undefined ? showText(FAILED_TEXT) : onFailed())}
        onRetry={() => setAttempt(attempt + 1)}
      />
    </div>
  )
}

interface FrameAttemptProps extends Pick<ProviderFrameProps, 'loadTemplate'> {
  readonly onMessage: (message: FrameMessage) => void
  readonly onFailed: () => void
  readonly onRetry: () => void
}

type State = { readonly kind: 'loading' } | { readonly kind: 'shown'; readonly src: string } | { readonly kind: 'failed' }

const FrameAttempt = ({ loadTemplate, onMessage, onFailed, onRetry }: FrameAttemptProps) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const handlers = useRef({ onMessage, onFailed })
  const [state, setState] = useState<State>({ kind: 'loading' })
  const [isBusy, setBusy] = useState(true)
  useEffect(() => {
    handlers.current = { onMessage, onFailed }
  })

  useEffect(() => {
    const controller = new AbortController()
    const load = async (): Promise<void> => {
      try {
        const { blob } = await loadTemplate(controller.signal)
        const src = frameUrlIn(await blob.text(), location.origin)
        if (!controller.signal.aborted) setState({ kind: 'shown', src })
      } catch (failure) {
        if (controller.signal.aborted) return
        console.error(failure)
        setState({ kind: 'failed' })
        setBusy(false)
        handlers.current.onFailed()
      }
    }
    void load()
    return () => controller.abort()
  }, [loadTemplate])

  const src = state.kind === 'shown' ? state.src : null
  useEffect(() => {
    if (src === null) return undefined
    let isDone = false
    const listen = (event: MessageEvent): void => {
      const message = readFrameMessage(event, { window: frame.current?.contentWindow, src })
      if (message === null || isDone) return
      isDone = true
      setBusy(true)
      handlers.current.onMessage(message)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [src])

  return (
    <div aria-busy={isBusy}>
      {src !== null && (
        <iframe
          ref={frame}
          className={styles.frame}
          src={src}
          title="Payment details"
          // The page is of another origin, which it needs to keep; it may not lead this page elsewhere.
          sandbox="allow-scripts allow-forms allow-same-origin" // oxlint-disable-line iframe-missing-sandbox
          onLoad={() => setBusy(false)}
        />
      )}
      {state.kind === 'failed' && (
        <Button kind="quiet" onPress={onRetry}>
          Try again
        </Button>
      )}
      {isBusy && <SpinnerOverlay label="Loading the payment form" isDimmed />}
    </div>
  )
}
