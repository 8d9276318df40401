import type { ZipArchive } from '../content/zip-archive.ts';
import { elements, parseXml, textOf, xmlText } from '../content/xml.ts';
import { DocumentRefused } from '../document-refused.ts';
import { headingOf, type Parsed, Segments } from '../segment.ts';
import { addBlocks, documentOf } from './html.ts';
import { resolvePart } from './relations.ts';

const damaged = () =>
  new DocumentRefused('damaged', 'This EPUB is damaged: its table of files is missing. Save it again and upload the new file.');

/** Chapters in the order of the spine. Their headings come from the text, otherwise from the title of the chapter's page. */
export async function parseEpub(archive: ZipArchive): Promise<Parsed> {
  if (archive.has('META-INF/encryption.xml') && archive.has('META-INF/rights.xml'))
    throw new DocumentRefused('encrypted', 'This EPUB is protected against copying. Upload a version without protection.');
  const container = await archive.read('META-INF/container.xml');
  if (container === undefined) throw damaged();
  const [root] = elements(parseXml(container), 'rootfile');
  const path = root?.attributes['full-path'] ?? '';
  const bytes = await archive.read(path);
  if (bytes === undefined) throw damaged();
  const book = parseXml(bytes);
  const items = new Map([...elements(book, 'item')].map(({ attributes }) => [attributes['id'], attributes['href']]));
  const [title] = elements(book, 'title');
  const found = new Segments();
  for (const { attributes } of elements(book, 'itemref')) {
    const href = items.get(attributes['idref']);
    const chapter = href === undefined ? undefined : await archive.read(resolvePart(path, decodeURIComponent(href)));
    if (chapter === undefined) continue;
    const page = documentOf(xmlText(chapter).replace(/^\s*<\?xml[^>]*\?>/, ''));
    const body = page.querySelector('body');
    if (body === null) continue;
    if (page.querySelector('h1, h2, h3') === null) found.open(page.title ?? '', false);
    addBlocks(found, body);
  }
  return { title: title === undefined ? null : headingOf(textOf(title)), segments: found.all };
}
