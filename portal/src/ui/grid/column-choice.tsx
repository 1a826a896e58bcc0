import { Button as AriaButton } from 'react-aria-components/Button'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components/Popover'
import { Button } from '../button/button.tsx'
import { Checkbox } from '../form/checkbox.tsx'
import field from '../form/field.module.css'
import { Icon } from '../icon.tsx'
import styles from './grid-tools.module.css'
import type { GridColumn } from './grid-model.ts'
import { isOptional } from './visible-columns.ts'

interface ColumnChoiceProps<Row> {
  label: string
  columns: readonly GridColumn<Row>[]
  hidden: ReadonlySet<string>
  onHidden: (keys: ReadonlySet<string>) => void
}

/** A button that opens the list of a grid's columns, each to be switched off and on. The first always stays. */
export const ColumnChoice = <Row,>({ label, columns, hidden, onHidden }: ColumnChoiceProps<Row>) => {
  const listed = columns.filter(({ isActions }) => !isActions)
  const toggle = (key: string, isShown: boolean): void => {
    const others = [...hidden].filter((other) => other !== key)
    onHidden(new Set(isShown ? others : [...others, key]))
  }
  return (
    <DialogTrigger>
      <AriaButton className={styles.opener!}>
        Columns
        <Icon name="down" />
      </AriaButton>
      <Popover className={field.popover!} placement="bottom end">
        <Dialog className={styles.choice!} aria-label={`Columns of ${label}`}>
          {listed.map((column) => (
            <Checkbox
              key={column.key}
              checked={!isOptional(column, columns) || !hidden.has(column.key)}
              disabled={!isOptional(column, columns)}
              onChange={(isShown) => toggle(column.key, isShown)}
            >
              {column.label}
            </Checkbox>
          ))}
          <Button kind="plain" disabled={!listed.some(({ key }) => hidden.has(key))} onPress={() => onHidden(new Set())}>
            Reset to default
          </Button>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
