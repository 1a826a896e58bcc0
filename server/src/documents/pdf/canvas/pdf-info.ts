import { daysBetween, isDay, type Day } from '@counterfoil/contract/kit/day'

/** What pdfkit writes into a PDF's information dictionary and XMP packet. @param day  the creation day; 1970-01-01 when it is not a day */
export const pdfInfo = (title: string, author: string, day: Day): PDFKit.DocumentInfo =>
  ({
    Title: new InfoText(title),
    Author: new InfoText(author),
    Producer: 'pdfkit',
    Creator: 'Counterfoil',
    CreationDate: new InfoDay(day),
  }) as object

/** pdfkit writes a String's value into the dictionary, and its `toString()` without escaping into the XML packet. */
class InfoText extends String {
  override toString(): string {
    return this.valueOf().replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  }
}

/** Midnight UTC of a day, with the three representations that pdfkit needs of a creation date. */
class InfoDay extends String {
  readonly #day: Day
  constructor(day: Day) {
    const validDay = isDay(day) ? day : '1970-01-01'
    super(`D:${validDay.replaceAll('-', '')}000000Z`)
    this.#day = validDay
  }
  getTime(): number {
    return daysBetween('1970-01-01', this.#day) * 86_400_000
  }
  toISOString(): string {
    return `${this.#day}T00:00:00.000Z`
  }
}
