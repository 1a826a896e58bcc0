export { DashboardPage } from './dashboard-page.tsx'
export { SpendingPage } from './spending-page.tsx'
