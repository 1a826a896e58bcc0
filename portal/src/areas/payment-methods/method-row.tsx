import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { messageOf } from '../../api/call-api.ts'
import { NAVIGATING, useSubmit } from '../../ui/form/use-submit.ts'
import { Button } from '../../ui/button/button.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { MethodMark } from '../../payments/checkout/method-mark.tsx'
import type { MethodList, SavedMethod } from '../../payments/providers/panel.ts'
import styles from './payment-methods.module.css'
import { setDefaultMutation } from './payment-methods.data.ts'

interface MethodRowProps {
  readonly method: SavedMethod
  readonly list: Pick<MethodList<unknown>, 'kind' | 'setDefault' | 'reloadsOnDefault'>
  readonly onEdit: (() => void) | undefined
  /** Undefined while the method cannot be removed, because it is the default of several. */
  readonly onRemove: (() => void) | undefined
}

const KEPT_TEXT = 'The default cannot be removed while there are others. Make another one the default first.'

/** The specified words for what is not known (PM-02): they step back behind what is. */
const MISSING = /^No .+ provided$/

/**
 * A saved method: a row that expands to its facts and the actions Set Default, Edit and Remove. A new default bank account reloads the
 * page.
 */
export const MethodRow = ({ method, list, onEdit, onRemove }: MethodRowProps) => {
  const reasonId = useId()
  const { mutateAsync } = useMutation(setDefaultMutation(list))
  const { busy, submit } = useSubmit(messageOf)
  const setDefault = async (): Promise<unknown> => {
    await mutateAsync(method.id)
    // A new default account reloads the page, a new default card of most providers only the list (PM-07).
    if (list.kind === 'card' && list.reloadsOnDefault !== true) return undefined
    location.reload()
    return NAVIGATING
  }
  return (
    <Disclosure
      title={
        <span className={styles.title}>
          <span className={styles.name}>
            {method.image ?? <MethodMark kind={method.kind} title={method.title} />}
            {method.title}
          </span>
          {method.detail !== '' && <span className={styles.small}>{method.detail}</span>}
        </span>
      }
      aside={<StatusTags method={method} />}
    >
      <dl className={styles.facts}>
        {method.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={MISSING.test(value) ? styles.missing : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        {!method.isDefault && !method.isPending && (
          <Button kind="quiet" label={`Set Default: ${method.title}`} busy={busy} busyText="Saving…" onPress={() => submit(setDefault)}>
            Set Default
          </Button>
        )}
        {onEdit && (
          <Button kind="quiet" label={`Edit ${method.title}`} onPress={onEdit}>
            Edit
          </Button>
        )}
        <Button
          kind="danger"
          label={`Remove ${method.title}`}
          disabled={onRemove === undefined}
          describedBy={onRemove === undefined ? reasonId : undefined}
          onPress={() => onRemove?.()}
        >
          Remove
        </Button>
      </div>
      {onRemove === undefined && (
        <p id={reasonId} className={styles.note}>
          {KEPT_TEXT}
        </p>
      )}
    </Disclosure>
  )
}

/** The tags "Verification pending" and "Default", each where it is true of the method. */
const StatusTags = ({ method }: { method: SavedMethod }) => (
  <span className={styles.tags}>
    {method.isPending && <Tag tone="warn">Verification pending</Tag>}
    {method.isDefault && <Tag tone="good">Default</Tag>}
  </span>
)
