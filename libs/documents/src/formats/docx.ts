import mammoth from 'mammoth';
import type { ZipArchive } from '../content/zip-archive.ts';
import { storedZip } from '../content/zip-archive.ts';
import { parseXml, elements, textOf, xmlText } from '../content/xml.ts';
import { DocumentRefused } from '../document-refused.ts';
import { headingOf, type Parsed, Segments } from '../segment.ts';
import { addBlocks, documentOf } from './html.ts';

const READ = /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/[^/]+\.xml|word\/_rels\/[^/]+\.rels)$/;
const NO_STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"];

/** The title in the properties of an Office file. */
export async function officeTitle(archive: ZipArchive): Promise<string | null> {
  const core = await archive.read('docProps/core.xml');
  if (core === undefined) return null;
  const [title] = elements(parseXml(core), 'title');
  return title === undefined ? null : headingOf(textOf(title));
}

export async function parseDocx(archive: ZipArchive): Promise<Parsed> {
  const parts = await archive.readAll(READ);
  for (const part of parts.values()) xmlText(part); // refuses entities
  const title = await officeTitle(archive);
  let html: string;
  try {
    // Only checked parts, and no images: they would be written into the text.
    const result = await mammoth.convertToHtml(
      { buffer: storedZip(parts) },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), styleMap: NO_STYLES, externalFileAccess: false },
    );
    html = result.value;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new DocumentRefused('damaged', 'This document is damaged. Open it in its program, save it again and upload the new file.');
  }
  const found = new Segments();
  const page = documentOf(html);
  const body = page.querySelector('body');
  if (body !== null) addBlocks(found, body);
  return { title: title ?? found.all.find(({ kind }) => kind === 'heading')?.heading ?? null, segments: found.all };
}
