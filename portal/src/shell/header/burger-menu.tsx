import { useEffect, useId, useRef, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import { Icon } from '../../ui/icon.tsx'
import { useAccount } from '../account/account.tsx'
import { CustomerSwitch } from './customer-switch.tsx'
import styles from './header.module.css'
import { menuSections } from '../navigation/sections.tsx'
import { useSettingsEntries } from './settings-entries.ts'

/** The menu of a narrow window: opens under the bar, closes on Escape and on navigation. */
export const BurgerMenu = () => {
  const { key } = useLocation()
  const [openLocation, setOpenLocation] = useState<string | null>(null)
  const isOpen = openLocation === key
  const panelId = useId()
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return undefined
    const closeOnEscape = (event: KeyboardEvent): void => {
      // An open list inside the menu handles Escape itself.
      if (event.key !== 'Escape' || event.defaultPrevented) return
      setOpenLocation(null)
      button.current?.focus()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [isOpen])

  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.burger}
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpenLocation(isOpen ? null : key)}
      >
        <Icon name={isOpen ? 'close' : 'menu'} />
      </button>
      <div id={panelId} className={styles.panel} hidden={!isOpen}>
        {isOpen && <Panel />}
      </div>
    </>
  )
}

/** The open menu: name, customer switch, sections and the entries of Settings. */
const Panel = () => {
  const account = useAccount()
  const entries = useSettingsEntries()
  return (
    <>
      <p className={styles.person}>{account.user.displayName}</p>
      <CustomerSwitch customers={account.customers} customer={account.customer} />
      <nav className={styles.places} aria-label="Sections">
        {menuSections(account).map(({ path, label }) => (
          <NavLink key={path} to={path} className={styles.place!}>
            {label}
          </NavLink>
        ))}
      </nav>
      <nav className={styles.places} aria-label="Settings">
        {entries.map(({ id, label }) => (
          <NavLink key={id} to={id} className={styles.place!}>
            {label}
          </NavLink>
        ))}
      </nav>
    </>
  )
}
