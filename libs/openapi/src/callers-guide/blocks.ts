/** A part of a page. Texts may have `code` between backticks, and no other markup. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

export const heading = (level: 1 | 2 | 3, text: string): Block => ({ kind: 'heading', level, text });
export const text = (content: string): Block => ({ kind: 'text', text: content });
export const code = (language: string, content: string): Block => ({ kind: 'code', language, text: content });
export const table = (columns: readonly string[], rows: readonly (readonly string[])[]): Block => ({ kind: 'table', columns, rows });

export const asMarkdown = (blocks: readonly Block[]): string => `${blocks.map(markdownOf).join('\n\n')}\n`;

function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'text':
      return block.text;
    case 'code':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
    case 'table':
      return [block.columns, block.columns.map(() => '---'), ...block.rows].map(rowInMarkdown).join('\n');
  }
}

const rowInMarkdown = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const asHtml = (blocks: readonly Block[]): string => blocks.map(htmlOf).join('\n');

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level} id="${idOf(block.text)}">${inHtml(block.text)}</h${block.level}>`;
    case 'text':
      return `<p>${inHtml(block.text)}</p>`;
    case 'code':
      return `<pre><code class="${block.language}">${escaped(block.text)}</code></pre>`;
    case 'table': {
      const row = (cells: readonly string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${inHtml(cell)}</${tag}>`).join('')}</tr>`;
      const body = block.rows.map((cells) => row(cells, 'td')).join('\n');
      return `<table>\n<thead>${row(block.columns, 'th')}</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
    }
  }
}

const idOf = (content: string): string =>
  content
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

const inHtml = (content: string): string => escaped(content).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escaped = (content: string): string => content.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string);
