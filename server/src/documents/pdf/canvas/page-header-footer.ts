import { furnish, print, rule, setAtMost, SHEET, SMALL, type Paper } from './canvas.ts'

const WIDE = { left: SHEET.left, width: SHEET.right - SHEET.left }
const FOOT = 796

/** The brand's band, in its own colour, at the top of every page and, at its foot, whose page it is and which of how many. Drawn last. */
export const drawFurniture = (paper: Paper, owner: string, colour: string): void => {
  const { start, count } = paper.pdf.bufferedPageRange()
  const name = setAtMost(owner, SMALL, 380, 1)
  for (let index = 0; index < count; index++) {
    paper.pdf.switchToPage(start + index)
    furnish(paper, 'Pagination', () => paper.pdf.rect(0, 0, SHEET.width, 8).fill(colour))
    rule(paper, WIDE, FOOT)
    furnish(paper, 'Pagination', () => {
      print(paper, name, SMALL, WIDE, FOOT + 7)
      print(paper, [`Page ${index + 1} of ${count}`], SMALL, { ...WIDE, align: 'right' }, FOOT + 7)
    })
  }
}
