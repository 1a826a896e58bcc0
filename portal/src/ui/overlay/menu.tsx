import { Button } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu'
import styles from '../form/field.module.css'
import { Icon, type IconName } from '../icon.tsx'
import bar from './menu.module.css'

export interface MenuEntry {
  id: string
  label: string
}

export interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  onSelect: (id: string) => void
  /** Stands in place of the label, which is then the button's name only. */
  icon?: IconName | undefined
}

/** A button that opens a menu of actions; nothing in it is selected. */
export const Menu = ({ label, entries, onSelect, icon }: MenuProps) => (
  <MenuTrigger>
    <Button className={`${styles.choice} ${bar.opener}`} {...(icon && { 'aria-label': label })}>
      {icon === undefined ? label : <Icon name={icon} />}
      <Icon name="down" />
    </Button>
    <Popover className={styles.popover!} placement="bottom end">
      <AriaMenu className={styles.list!} items={entries} onAction={(key) => onSelect(String(key))}>
        {(entry) => (
          <MenuItem id={entry.id} className={styles.option!}>
            {entry.label}
          </MenuItem>
        )}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)
