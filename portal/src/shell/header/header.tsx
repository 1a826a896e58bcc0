import { NavLink, useNavigate } from 'react-router'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useAccount } from '../account.tsx'
import { BurgerMenu } from './burger-menu.tsx'
import { CustomerSwitch } from './customer-switch.tsx'
import styles from './header.module.css'
import { Logo } from './logo.tsx'
import { menuSections } from '../sections.tsx'
import { useSettingsEntries } from './settings-entries.ts'
import { useNarrow } from './use-narrow.ts'

/** More sections than this have a row of their own: with the longest labels they fit no window beside the rest. */
const ONE_ROW = 4

/** Logo, sections, customer switch, name and Settings; on a small screen all of it behind a burger (portal.md §2, Header). */
export const Header = () => {
  const account = useAccount()
  const { person, settings, look } = account
  const isNarrow = useNarrow()
  const isMany = !isNarrow && menuSections(account).length > ONE_ROW
  return (
    <header className={`${styles.header} ${isMany ? styles.many : ''}`}>
      <div className={styles.bar}>
        <Logo brandId={person.brandId} company={settings.companyName} ground={look.logoGround} />
        {isNarrow ? <BurgerMenu /> : <WideMenu />}
      </div>
    </header>
  )
}

const WideMenu = () => {
  const account = useAccount()
  const entries = useSettingsEntries()
  const navigate = useNavigate()
  return (
    <>
      <nav className={styles.sections} aria-label="Sections">
        {menuSections(account).map(({ path, label }) => (
          <NavLink key={path} to={path} className={styles.section!}>
            {label}
          </NavLink>
        ))}
      </nav>
      <div className={styles.who}>
        <span className={styles.name} title={account.person.displayName}>
          {account.person.displayName}
        </span>
        <CustomerSwitch customers={account.customers} customer={account.customer} />
        <Menu label="Settings" entries={entries} onChoose={(path) => void navigate(path)} />
      </div>
    </>
  )
}
