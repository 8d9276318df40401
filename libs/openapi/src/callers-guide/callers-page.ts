import { createHash } from 'node:crypto';
import { asHtml } from './blocks.ts';
import { callersGuide, type PublishedDocument } from './callers-guide.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
pre { padding: 0.75rem; overflow-x: auto; border: 1px solid; border-radius: 4px; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border: 1px solid; }
`;

/** The content security policy of the page: it has one inline style sheet, and loads nothing. */
export const CALLERS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page for callers of one published bot. */
export function callersPage(document: PublishedDocument, endpoint: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Call a published bot</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${asHtml(callersGuide(document, endpoint))}
</main>
</body>
</html>
`;
}
