/** Stands around data in a prompt, whose instructions are not to be followed. Whatever the text says, it cannot end the marks. */
export const markUntrusted = (text: string): string =>
  `<untrusted>\n${text.replaceAll(/<(?=\/?untrusted)/gi, '&lt;')}\n</untrusted>`

/** Whether something that is marked stands in a text of this process's own making. */
export const hasMarks = (text: string): boolean => text.includes('<untrusted>\n')
