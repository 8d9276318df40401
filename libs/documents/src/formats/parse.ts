import type { Content } from '../content/type.ts';
import type { ReadPages } from '../drawn-page.ts';
import type { Parsed } from '../segment.ts';

/** Parses a document. Each format is loaded for its first file, because the libraries take memory. */
export async function parse(content: Content, isWebPage: boolean, readPages?: ReadPages): Promise<Parsed> {
  switch (content.type) {
    case 'text':
      return (await import('./plain.ts')).parsePlain(content.text);
    case 'markdown':
      return (await import('./plain.ts')).parseMarkdown(content.text);
    case 'csv':
    case 'tsv':
      return (await import('./delimited.ts')).parseDelimited(content.text, content.type);
    case 'json':
      return (await import('./json.ts')).parseJson(content.text);
    case 'html':
      return (await import('./html.ts')).parseHtml(content.text, isWebPage);
    case 'pdf':
      return (await import('./pdf.ts')).parsePdf(content.bytes, readPages);
    case 'docx':
      return (await import('./docx.ts')).parseDocx(content.archive);
    case 'xlsx':
      return (await import('./xlsx.ts')).parseXlsx(content.archive);
    case 'pptx':
      return (await import('./pptx.ts')).parsePptx(content.archive);
    case 'epub':
      return (await import('./epub.ts')).parseEpub(content.archive);
  }
}
