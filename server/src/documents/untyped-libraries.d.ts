declare module 'linebreak' {
  /** The Unicode line breaking algorithm (UAX 14): iterates over the positions where a text may or must be broken. */
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}

declare module 'svg-to-pdfkit' {
  interface Options {
    readonly width: number
    readonly height: number
    readonly preserveAspectRatio: string
    readonly fontCallback: (family: string, bold: boolean) => string
    readonly imageCallback: (link: string) => string
    readonly warningCallback: (warning: string) => void
  }
  export default function drawSvg(pdf: PDFKit.PDFDocument, svg: string, x: number, y: number, options: Options): void
}
