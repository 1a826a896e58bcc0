import { launchBrowser, newPerson, DEMO_PASSWORD } from './browser.ts'
const b = await launchBrowser(); const c = await newPerson(b, 'http://localhost:4400'); const page = await c.newPage()
page.on('request', r => console.log(r.method(), r.url())); page.on('console', m => console.log(m.text()))
await page.goto('/login')
await page.route('**/', async () => { console.log('held') })
await page.getByLabel('Username').fill('demo'); await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
await page.getByRole('button', { name: 'Sign In' }).click({ noWaitAfter: true })
for (let i = 0; i < 8; i++) { await new Promise(r => setTimeout(r, 500)); console.log(await page.getByLabel('Username').inputValue(), await page.evaluate(() => [...document.querySelectorAll('input')].map(i => [i.name, i.value, i.defaultValue, i.getAttribute('value')]))) }
await b.close()
