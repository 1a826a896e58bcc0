import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { DownloadedFile } from '../../../../api/call-api.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { SpinnerOverlay } from '../../../../ui/feedback/spinner.tsx'
import { hasServerAnswered, isAmountChanged, paymentErrorText } from '../../../outcome/payment-error.ts'
import styles from './frame.module.css'
import { type FrameMessage, readFrameMessage } from './frame-message.ts'
import { frameUrlIn } from './template.ts'
import { useBriefText } from './use-brief-text.ts'

interface ProviderFrameProps {
  /** Loads the document with the frame; the same function until another one is to be loaded. */
  readonly loadTemplate: (signal: AbortSignal) => Promise<DownloadedFile>
  /**
   * The frame's page has ended with a message, or it shows another page: one that asks again, or one of the browser because a server could
   * not be reached. What became of the entry the server alone can say: read it. After a message another frame is loaded, if this is still
   * shown.
   * @returns whether that is shown elsewhere; else the message is shown, and a page without one stays
   */
  readonly onEnd: (end: FrameEnd) => Promise<boolean>
  /** The server refused to open the frame. Without it, a text says so for five seconds. */
  readonly onFailed?: (() => void) | undefined
  /** The words for a text of the page that has refused what was entered, after the server has said that nothing came of it. */
  readonly toWarning?: (text: string) => string
  /** The page has paid, and its receipt goes to this address. Called before `onEnd`. */
  readonly onReceipt?: ((email: string) => void) | undefined
  /** Stands above the frame, or over it. */
  readonly notice?: ReactNode
  readonly isCovered?: boolean
}

export type FrameEnd = 'accepted' | 'refused' | 'left'

const FAILED_TEXT = 'Our server returned error, try again later'

/** IPpay's own page in a frame of its origin. What is typed there never reaches this page. Each frame can be used once. */
export const ProviderFrame = ({
  loadTemplate,
  onEnd,
  onFailed,
  onReceipt,
  toWarning = String,
  notice,
  isCovered = false,
}: ProviderFrameProps) => {
  const [attempt, setAttempt] = useState(0)
  const [text, showText] = useBriefText()

  const handleEnd = async (message: FrameEndMessage): Promise<void> => {
    const isShownElsewhere = await onEnd(message.kind)
    if (message.kind === 'refused' && !isShownElsewhere) showText(toWarning(message.text))
    setAttempt(attempt + 1)
  }
  const handleFailure = (failure: unknown): void => {
    if (onFailed !== undefined && hasServerAnswered(failure)) return onFailed()
    showText(isAmountChanged(failure) ? paymentErrorText(failure) : FAILED_TEXT)
    // The page around the frame shows another total afterwards, for which another frame is loaded.
    if (isAmountChanged(failure)) void onEnd('refused')
    return undefined
  }
  return (
    <div className={styles.holder}>
      {/* Present before it has a text, so that screen readers announce it. */}
      <div role="alert">{text !== null && <p className={styles.warning}>{text}</p>}</div>
      <div className={isCovered ? styles.cover : styles.notice}>{notice}</div>
      <FrameAttempt
        key={attempt}
        loadTemplate={loadTemplate}
        onMessage={(message) => void handleEnd(message)}
        onReceipt={onReceipt}
        onLeft={() => onEnd('left')}
        onFailed={handleFailure}
        onRetry={() => setAttempt(attempt + 1)}
      />
    </div>
  )
}

type FrameEndMessage = Extract<FrameMessage, { kind: 'accepted' | 'refused' }>

interface FrameAttemptProps extends Pick<ProviderFrameProps, 'loadTemplate' | 'onReceipt'> {
  readonly onMessage: (message: FrameEndMessage) => void
  readonly onLeft: () => Promise<boolean>
  readonly onFailed: (failure: unknown) => void
  readonly onRetry: () => void
}

/** The frame's padding and border, above and below its page. */
const FRAME_EDGES = 26

/** How long a page without a message may still end with one. */
const MESSAGE_WAIT_MS = 5_000

type State = { readonly kind: 'loading' } | { readonly kind: 'shown'; readonly src: string } | { readonly kind: 'failed' }

/** One frame, from loading its address to its end by a message, or by another page without one. */
const FrameAttempt = ({ loadTemplate, ...callbacks }: FrameAttemptProps) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const handlers = useRef(callbacks)
  const [state, setState] = useState<State>({ kind: 'loading' })
  const [isBusy, setBusy] = useState(true)
  const [loads, setLoads] = useState(0)
  const [isLeft, setLeft] = useState(false)
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    handlers.current = callbacks
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
        handlers.current.onFailed(failure)
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
      if (message === null || isDone) return undefined
      if (message.kind === 'height') return setHeight(message.height)
      if (message.kind === 'receipt') return handlers.current.onReceipt?.(message.email)
      isDone = true
      setBusy(true)
      setLoads(0)
      return handlers.current.onMessage(message)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [src])

  useEffect(() => {
    if (loads < 2) return undefined
    const findOut = async (): Promise<void> => {
      if (await handlers.current.onLeft()) handlers.current.onRetry()
      else setLeft(true)
    }
    const timer = setTimeout(() => void findOut(), MESSAGE_WAIT_MS)
    return () => clearTimeout(timer)
  }, [loads])

  const handleLoad = (): void => {
    setBusy(false)
    setLoads((before) => before + 1)
  }
  return (
    <div aria-busy={isBusy}>
      {src !== null && (
        <iframe
          ref={frame}
          className={styles.frame}
          style={height === undefined ? undefined : { height: height + FRAME_EDGES }}
          src={src}
          title="Payment details"
          // The page is of another origin, which it needs to keep; it may not lead this page elsewhere.
          sandbox="allow-scripts allow-forms allow-same-origin" // oxlint-disable-line iframe-missing-sandbox
          onLoad={handleLoad}
        />
      )}
      {(state.kind === 'failed' || isLeft) && (
        <Button kind="quiet" onPress={callbacks.onRetry}>
          {isLeft ? 'Open the form again' : 'Try again'}
        </Button>
      )}
      {isBusy && <SpinnerOverlay label="Loading the payment form" isDimmed />}
    </div>
  )
}
