import { NavLink, useNavigate } from 'react-router'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useAccount } from '../account.tsx'
import { BurgerMenu } from './burger-menu.tsx'
import { CustomerSwitch } from './customer-switch.tsx'
import styles from './header.module.css'
import { Logo } from './logo.tsx'
import { menuSections } from '../sections.tsx'
import { useSettingsEntries } from './settings-entries.ts'
import { useIsNarrow } from './use-narrow.ts'

/** More sections than this get a row of their own: with long labels they do not fit beside the rest. */
const MAX_INLINE_SECTIONS = 4

/** Logo, sections, customer switch, name and Settings; in a narrow window all behind a menu button. */
export const Header = () => {
  const account = useAccount()
  const { user, settings, branding } = account
  const isNarrow = useIsNarrow()
  const hasSectionRow = !isNarrow && menuSections(account).length > MAX_INLINE_SECTIONS
  return (
    <header className={`${styles.header} ${hasSectionRow ? styles.many : ''}`}>
      <div className={styles.bar}>
        <Logo brandId={user.brandId} companyName={settings.companyName} background={branding.logoBackground} />
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
        <span className={styles.name} title={account.user.displayName}>
          {account.user.displayName}
        </span>
        <CustomerSwitch customers={account.customers} customer={account.customer} />
        <Menu label="Settings" entries={entries} onSelect={(path) => void navigate(path)} />
      </div>
    </>
  )
}
