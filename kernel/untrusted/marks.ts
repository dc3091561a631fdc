/** What a model might read as one of the marks, white space and characters that nobody sees in it. */
const MARK = /[<＜﹤](?=[\s/\\\p{Cf}]*u\p{Cf}*n\p{Cf}*t\p{Cf}*r\p{Cf}*u\p{Cf}*s\p{Cf}*t\p{Cf}*e\p{Cf}*d)/giu

/** Stands around data in a prompt, whose instructions are not to be followed. Whatever the text says, it cannot end the marks. */
export const markUntrusted = (text: string): string =>
  `<untrusted>\n${text.replaceAll(MARK, '&lt;')}\n</untrusted>`

/** Whether something that is marked stands in a text of this process's own making. */
export const hasMarks = (text: string): boolean => text.includes('<untrusted>\n')
