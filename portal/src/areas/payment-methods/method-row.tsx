import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../api/call-api.ts'
import { NAVIGATING, useSubmit } from '../../ui/form/use-submit.ts'
import { Button } from '../../ui/button/button.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import type { Fact } from '../../payments/providers/stripe/method-facts.ts'
import styles from './payment-methods.module.css'
import { setDefaultMutation } from './payment-methods.data.ts'

/** A saved method as its row shows it, independent of the provider. */
export interface MethodRowData {
  readonly id: string
  readonly title: string
  /** Small text beside the title; may be empty. */
  readonly detail: string
  readonly isDefault: boolean
  /** The account is not verified yet. */
  readonly isPending: boolean
  readonly facts: readonly Fact[]
}

interface MethodRowProps {
  readonly row: MethodRowData
  readonly kind: 'card' | 'bank'
  readonly onEdit: (() => void) | undefined
  readonly onRemove: () => void
}

/** A saved method: a row that expands to its facts and actions. */
export const MethodRow = ({ row, kind, onEdit, onRemove }: MethodRowProps) => {
  const { mutateAsync } = useMutation(setDefaultMutation())
  const { busy, submit } = useSubmit(messageOf)
  const setDefault = async (): Promise<unknown> => {
    await mutateAsync(row.id)
    // A new default account reloads the page, a new default card only the list (PM-07).
    if (kind === 'card') return undefined
    location.reload()
    return NAVIGATING
  }
  return (
    <Disclosure
      title={
        <span className={styles.title}>
          {row.title}
          {row.detail !== '' && <span className={styles.small}>{row.detail}</span>}
        </span>
      }
      aside={<Tags row={row} />}
    >
      <dl className={styles.facts}>
        {row.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        {!row.isDefault && !row.isPending && (
          <Button kind="quiet" label={`Set Default: ${row.title}`} busy={busy} busyText="Saving…" onPress={() => submit(setDefault)}>
            Set Default
          </Button>
        )}
        {onEdit && (
          <Button kind="quiet" label={`Edit ${row.title}`} onPress={onEdit}>
            Edit
          </Button>
        )}
        <Button kind="quiet" label={`Remove ${row.title}`} onPress={onRemove}>
          Remove
        </Button>
      </div>
    </Disclosure>
  )
}

const Tags = ({ row }: { row: MethodRowData }) => (
  <span className={styles.tags}>
    {row.isPending && <Tag tone="warn">Verification pending</Tag>}
    {row.isDefault && <Tag tone="good">Default</Tag>}
  </span>
)
