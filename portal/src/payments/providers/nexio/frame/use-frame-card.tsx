import type { CardFieldsStart } from '@counterfoil/contract/card-fields'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { ShownError } from '../../../../api/api-error.ts'
import { ResourceStatus } from '../../../../ui/feedback/resource-status.tsx'
import { useResource } from '../../../../ui/use-resource.ts'
import styles from './card-frame.module.css'
import { type FrameMessage, readFrameMessage } from './frame-message.ts'

const TIMEOUT_MS = 30_000
const STILL_LOADING = 'The card fields are still loading. Try again.'
const NO_ANSWER = 'The card fields did not answer. Please try again.'

/** A card in Nexio's own frame. */
interface FrameCard {
  readonly fields: ReactNode
  readonly isReady: boolean
  /** Lets the frame store the card, once: a second call gives the same token. @throws ShownError with a text to show */
  readonly save: () => Promise<string>
}

type Waiting = (message: Exclude<FrameMessage, { kind: 'validity' }> | { readonly kind: 'late' }) => void

/** A card in Nexio's frame; what is typed there never reaches this page. After an error a new frame is started, as its token is used up. */
export const useFrameCard = (startCardFields: () => Promise<CardFieldsStart>, onEdit: () => void): FrameCard => {
  const frame = useRef<HTMLIFrameElement>(null)
  const waiting = useRef<Waiting | null>(null)
  const saved = useRef<string | null>(null)
  const [isValid, setValid] = useState(false)
  const [start] = useState(() => startCardFields)
  const [round, setRound] = useState(0)
  // `round` makes it another function, so that the frame is started anew.
  const load = useCallback(async () => ({ url: (await start()).fields['frameUrl'] ?? '', round }), [start, round])
  const resource = useResource(load)
  const frameUrl = resource.state === 'ready' ? resource.value.url : null

  useEffect(() => {
    if (frameUrl === null) return undefined
    const { origin } = new URL(frameUrl)
    const handle = ({ source, origin: sender, data }: MessageEvent): void => {
      // Any other page may send messages too.
      if (source !== frame.current?.contentWindow || sender !== origin) return
      const message = readFrameMessage(data)
      if (message?.kind === 'validity') {
        setValid(message.isValid)
        onEdit()
      } else if (message !== null) waiting.current?.(message)
    }
    addEventListener('message', handle)
    return () => removeEventListener('message', handle)
  }, [frameUrl, onEdit])

  const save = async (): Promise<string> => {
    if (saved.current !== null) return saved.current
    const target = frame.current?.contentWindow
    if (!target || frameUrl === null) throw new ShownError(STILL_LOADING)
    const message = await new Promise<Parameters<Waiting>[0]>((resolve) => {
      waiting.current = resolve
      setTimeout(() => resolve({ kind: 'late' }), TIMEOUT_MS)
      target.postMessage('posted', new URL(frameUrl).origin)
    })
    waiting.current = null
    if (message.kind === 'saved') {
      saved.current = message.token
      return message.token
    }
    setValid(false)
    setRound((former) => former + 1)
    throw new ShownError(message.kind === 'error' ? message.text : NO_ANSWER)
  }

  return {
    fields:
      frameUrl === null ? (
        <ResourceStatus resource={resource as Parameters<typeof ResourceStatus>[0]['resource']} subject="The card form" />
      ) : (
        <iframe
          key={frameUrl}
          ref={frame}
          className={styles.frame}
          src={frameUrl}
          title="Card details"
          // The document is of another origin, which it needs to keep; it may not lead this page elsewhere.
          sandbox="allow-scripts allow-same-origin allow-forms" // oxlint-disable-line iframe-missing-sandbox
        />
      ),
    isReady: isValid,
    save,
  }
}
