import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, fixedTraffic, mobileData } from './service-templates.ts'

/** The reseller that calls an invoice by another name. */
export const rhein: ResellerProfile = {
  id: 3003,
  name: 'Rhein Datennetz',
  user: { username: 'eu', displayName: 'Annika Vogel' },
  legalEntity: {
    name: 'Rhein Datennetz GmbH',
    number: 'USt-IdNr. DE555010003',
    addressLines: ['Am Hafenbecken 12', '50999 Köln', 'Deutschland'],
    email: 'rechnung@rhein.example',
    phone: '0221 4710 123',
  },
  currency: 'EUR',
  currencySymbol: '€',
  invoiceLabel: { singular: 'Rechnung', plural: 'Rechnungen' },
  invoicePrefix: 'RE',
  terms: 'Zahlbar innerhalb von 14 Tagen ohne Abzug. Bei SEPA-Lastschrift buchen wir am Fälligkeitstag ab.',
  termDays: 14,
  payment: { type: 1, directDebitMethodId: 4, takesDebits: true },
  taxes: [{ name: 'USt', rateMilli: 19_000 }],
  brand: {
    domain: 'rhein.example',
    colours: ['#ffffff', '#0b6b4f', '#18261f', '#cfdcd5', '#f2f7f4', '#e0f0e8', '#23a277'],
    itemLabel: 'Anschluss',
    help: {
      help_email: 'rechnung@rhein.example',
      help_phone: '0221 4710 123',
      help_hours: 'Montag bis Freitag, 8 bis 18 Uhr',
      terms_url: 'https://www.rhein.example/terms',
      privacy_url: 'https://www.rhein.example/privacy',
    },
    logo: {
      mark: 'river',
      ink: '#1d8a67',
      accent: '#b9f0d4',
      words: [
        { text: 'rhein', weight: 'extrabold' },
        { text: 'datennetz', weight: 'regular' },
      ],
    },
    banner: { from: '#0f7a5a', to: '#04231f', motif: 'river' },
  },
  wording: {
    usage: '{service}, Verbrauch',
    service: 'Geräte und Leistungen',
    setUp: { label: 'Einrichtung Anschluss', code: 'EINR', unitMinor: 1990, quantity: 6 },
    hardware: { label: 'Industrierouter LTE', code: 'HW-LTE', unitMinor: 24_900, quantity: 2 },
    order: { label: 'Zusätzliche SIM-Karten, Expressversand', code: 'SIM-EXP', unitMinor: 590, quantity: 10 },
    termination: { label: 'Vorzeitige Beendigung, irrtümlich berechnet', code: 'KUEND', unitMinor: 19_900, quantity: 1 },
    replacement: { label: 'Ersatz-SIM-Karte', code: 'SIM-ERS', unitMinor: 990, quantity: 2 },
    goodwill: 'Gutschrift aus Kulanz',
  },
  utcOffset: 1,
  services: [
    mobileData({
      name: 'Mobile Daten',
      itemLabel: 'Anschluss',
      plan: { label: 'Flotte Daten 10 GB', code: 'RDN-FL-10', feeMinor: 1680 },
      number: '0171 39200##',
      secondNumber: '262980#########',
      records: [
        ['Mobile Daten, Inland', '0.000468', 'maschinen.rhein', 'internet.rhein'],
        ['Mobile Daten, EU', '0.000468', 'NL, Maas', 'AT, Donau'],
        ['Mobile Daten, Schweiz', '0.005929', 'CH, Aare'],
      ],
    }),
    calls({
      name: 'Sprache',
      itemLabel: 'Rufnummer',
      plan: { label: 'SIP-Nebenstelle', code: 'RDN-SIP', feeMinor: 490 },
      number: '0221 4710 ###',
      records: [
        ['Gespräch ins Festnetz', '0.0089', '030 23125 104', '089 99998 221'],
        ['Gespräch in den Mobilfunk', '0.0579', '0152 28817 386', '0171 39200 17'],
      ],
    }),
    fixedTraffic({
      name: 'Standortvernetzung',
      itemLabel: 'Leitung',
      plan: { label: 'Glasfaser 250 symmetrisch', code: 'RDN-GF-250', feeMinor: 18_900 },
      number: 'RDN-L-####',
      records: [['Verkehr über Freimenge', '0.0125']],
    }),
  ],
  customers: [
    {
      label: 'Brückner Anlagenbau GmbH & Co. KG',
      reference: 'K-70118',
      addressLines: ['Industriestraße 41', '51149 Köln', 'Deutschland'],
      agreements: ['Rahmenvertrag Mobilfunk', 'Vertrag Sprache', 'Vertrag Standorte'],
      sites: ['Werk Köln', 'Werk Neuss', 'Montage'],
      costCentres: ['4100 Montage', '4200 Werk', '4300 Vertrieb'],
      lines: [
        { count: 14, names: ['Maschine 2##, Fernwartung', 'Montagewagen ##', 'Tablet {name}'] },
        { count: 6, names: ['Nebenstelle {name}'] },
        { count: 2, names: ['Werk Köln', 'Werk Neuss'] },
      ],
      share: 65,
      bundles: bundleTrio(
        ['Datenpool 150 GB', 'Mobile Daten, Inland', 150, 'GB'],
        ['Minutenpaket 2.000', 'Festnetz und Mobilfunk', 2000, 'Minuten'],
        ['Schweiz-Option', 'Mobile Daten, Schweiz', 3, 'GB'],
      ),
    },
    {
      label: 'Kiepenkerl Versand',
      reference: 'K-70125',
      addressLines: ['Lindenweg 3', '40699 Erkrath', 'Deutschland'],
      agreements: ['Rahmenvertrag Mobilfunk', 'Vertrag Sprache'],
      sites: ['Lager'],
      costCentres: ['1000 Lager', '2000 Büro'],
      lines: [
        { count: 6, names: ['Handscanner 0##', 'Telefon {name}'] },
        { count: 3, names: ['Nebenstelle {name}'] },
        { count: 1, names: ['Lager Erkrath'] },
      ],
      share: 35,
      bundles: bundleTrio(
        ['Datenpool 50 GB', 'Mobile Daten, Inland', 50, 'GB'],
        ['Minutenpaket 500', 'Festnetz und Mobilfunk', 500, 'Minuten'],
        ['EU-Option', 'Mobile Daten, EU', 5, 'GB'],
      ),
    },
  ],
}
