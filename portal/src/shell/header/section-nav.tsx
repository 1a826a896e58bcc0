import { useRef } from 'react'
import { NavLink, useLocation, useNavigate } from 'react-router'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import type { MenuSection } from '../navigation/sections.tsx'
import styles from './header.module.css'
import { useFittingCount } from './use-fitting-count.ts'

/** The sections in one row; those that do not fit stand in a menu under More. */
export const SectionNav = ({ sections }: { sections: readonly MenuSection[] }) => {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const row = useRef<HTMLElement>(null)
  const fitting = useFittingCount(row)
  const hidden = sections.slice(fitting)
  return (
    <nav ref={row} className={styles.sections} aria-label="Sections">
      {sections.map(({ path, label }, i) => (
        // One that does not fit keeps its width, so that it is known when the window grows.
        <NavLink key={path} to={path} className={styles.section!} data-hidden={i >= fitting || undefined}>
          {label || <Skeleton width={64} height={16} />}
        </NavLink>
      ))}
      {hidden.length > 0 && (
        <span className={styles.more} data-current={hidden.some(({ path }) => path === pathname) || undefined}>
          <Menu label="More" entries={hidden.map(({ path, label }) => ({ id: path, label }))} onSelect={(path) => void navigate(path)} />
        </span>
      )}
    </nav>
  )
}
