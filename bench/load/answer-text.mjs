/** Paragraphs, a list, a table and code, as models write them. */
const PART = (number) => `## Part ${number}

The handbook says in **section ${number}** that leave is 25 days, that *travel* is booked by the office, and that \`equipment\` is replaced every
three years. See [the list](https://example.org/${number}) for the rest.

- Ask before the first of the month.
- Name the days, and who takes over the work.

| Year | Days | Carried over |
| ---- | ---- | ------------ |
| 1    | 25   | 5            |
| 2    | 27   | 5            |

\`\`\`js
const days = (year) => (year === 1 ? 25 : 27);
console.log(days(${number}));
\`\`\`

`;

/** An answer of at least `characters` characters, and the words at its end. */
export function answerOf(characters) {
  const last = 'This is the end of the handbook.';
  let text = '';
  for (let index = 1; text.length < characters - last.length; index++) text += PART(index);
  return { text: text + last, last };
}
