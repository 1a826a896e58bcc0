import { useQuery } from '@tanstack/react-query'
import { isSuperUser } from '../../api/session.ts'
import { Page } from '../../shell/page.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { SupportText } from '../../ui/feedback/support-text.tsx'
import { Unavailable } from '../../ui/feedback/unavailable.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import { profileQuery } from './profile.data.ts'
import { ProfileForm } from './profile-form.tsx'
import styles from './profile.module.css'
import { timeZoneText } from './time-zone.ts'

/** `/profile`: who is signed in, and what they choose for themselves. Open to every signed-in user. */
export const ProfilePage = () => {
  const { data: profile, isError, refetch } = useQuery(profileQuery())
  if (profile === undefined) {
    return (
      <Page title="Profile">
        {isError ? <Unavailable subject="Your profile" onRetry={() => void refetch()} /> : <Spinner label="Loading your profile" />}
      </Page>
    )
  }
  return (
    <Page title="Profile">
      <div className={styles.columns}>
        <Tile title="About you">
          <dl className={styles.facts}>
            <Fact name="Name">{profile.displayName}</Fact>
            <Fact name="Username">{profile.username}</Fact>
            <Fact name="Email">{profile.email ?? 'None'}</Fact>
            <Fact name="Time zone">{timeZoneText()}</Fact>
          </dl>
          <p className={styles.note}>
            <SupportText>To change your name or your email, contact support.</SupportText>
          </p>
        </Tile>
        <Tile title="Your choices">
          {isSuperUser() ? <p>A support session cannot change the profile.</p> : <ProfileForm profile={profile} />}
        </Tile>
      </div>
    </Page>
  )
}

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
