import { drawArtifact, drawText, drawRule, wrapTextToLines, PAGE, SMALL, type Canvas } from './canvas.ts'

const WIDE = { left: PAGE.left, width: PAGE.right - PAGE.left }
const FOOTER_TOP = 796

/**
 * Draws the brand's colour band at the top of every page, and owner and page number in its footer.
 * Must be drawn last, when the page count is known.
 */
export const drawPageHeadersAndFooters = (canvas: Canvas, footerText: string, colour: string): void => {
  const { start, count } = canvas.pdf.bufferedPageRange()
  const footerLines = wrapTextToLines(footerText, SMALL, 380, 1)
  for (let index = 0; index < count; index++) {
    canvas.pdf.switchToPage(start + index)
    drawArtifact(canvas, 'Pagination', () => canvas.pdf.rect(0, 0, PAGE.width, 8).fill(colour))
    drawRule(canvas, WIDE, FOOTER_TOP)
    drawArtifact(canvas, 'Pagination', () => {
      drawText(canvas, footerLines, SMALL, WIDE, FOOTER_TOP + 7)
      drawText(canvas, [`Page ${index + 1} of ${count}`], SMALL, { ...WIDE, align: 'right' }, FOOTER_TOP + 7)
    })
  }
}
