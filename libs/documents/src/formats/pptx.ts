import type { ZipArchive } from '../content/zip-archive.ts';
import { elements, parseXml, textOf, type XmlNode } from '../content/xml.ts';
import { type Parsed, Segments } from '../segment.ts';
import { officeTitle } from './docx.ts';
import { addTable } from './rows.ts';
import { resolvePart, targetsOf } from './relations.ts';

const paragraphs = (node: XmlNode) =>
  [...elements(node.children, 'p')].map((p) => [...elements(p.children, 't')].map(textOf).join('')).filter((text) => text.trim() !== '');

const isTitle = (shape: XmlNode) =>
  [...elements(shape.children, 'ph')].some(({ attributes }) => attributes['type'] === 'title' || attributes['type'] === 'ctrTitle');

function addShapes(found: Segments, nodes: readonly XmlNode[], title: XmlNode | undefined): void {
  for (const node of nodes) {
    if (node === title) continue;
    if (node.name === 'sp') found.add(paragraphs(node).join('\n'), 'prose');
    else if (node.name === 'tbl')
      addTable(
        found,
        [...elements(node.children, 'tr')].map((row) => [...elements(row.children, 'tc')].map((cell) => paragraphs(cell).join(' '))),
      );
    else addShapes(found, node.children, title);
  }
}

/** Slides in the order of the presentation. A slide's number is its page, and its title is the heading. Its notes follow it. */
export async function parsePptx(archive: ZipArchive): Promise<Parsed> {
  const found = new Segments();
  const presentation = parseXml((await archive.read('ppt/presentation.xml'))!);
  const targets = await targetsOf(archive, 'ppt/presentation.xml');
  const ids = [...elements(presentation, 'sldId')].map(({ attributes }) => targets.get(attributes['r:id'] ?? attributes['id'] ?? '') ?? '');
  for (const [index, path] of ids.entries()) {
    const slide = await archive.read(path);
    if (slide === undefined) continue;
    found.page = index + 1;
    const nodes = parseXml(slide);
    const title = [...elements(nodes, 'sp')].find(isTitle);
    found.open(title === undefined ? `Slide ${index + 1}` : paragraphs(title).join(' '), title !== undefined);
    addShapes(found, nodes, title);
    const notes = [...(await targetsOf(archive, path)).values()].find((target) => target.includes('notesSlide'));
    const notesPart = notes === undefined ? undefined : await archive.read(resolvePart('', notes));
    if (notesPart === undefined) continue;
    for (const shape of elements(parseXml(notesPart), 'sp'))
      if ([...elements(shape.children, 'ph')].some(({ attributes }) => attributes['type'] === 'body'))
        found.add(paragraphs(shape).join('\n'), 'prose');
  }
  return { title: await officeTitle(archive), segments: found.all };
}
