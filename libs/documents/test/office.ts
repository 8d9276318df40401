import { zip, type ZipEntry } from './zip.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const types = (overrides: Readonly<Record<string, string>>) =>
  `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${Object.entries(
    overrides,
  )
    .map(([part, type]) => `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`)
    .join('')}</Types>`;

const relations = (targets: readonly (readonly [string, string, string])[]) =>
  `${XML}<Relationships xmlns="${RELATIONS}">${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export interface DocxParts {
  /** XML before the root element of the document, such as a document type. */
  readonly prologue?: string;
  readonly extra?: readonly ZipEntry[];
}

export const paragraph = (text: string, style?: string) =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${escape(text)}</w:t></w:r></w:p>`;

export const table = (rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`;

export function docx(body: string, { prologue = '', extra = [] }: DocxParts = {}): Buffer {
  return zip([
    { name: '[Content_Types].xml', data: types({ 'word/document.xml': 'wordprocessingml.document.main' }) },
    { name: '_rels/.rels', data: relations([['r1', 'officeDocument', 'word/document.xml']]) },
    {
      name: 'word/styles.xml',
      data: `${XML}<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    },
    {
      name: 'word/document.xml',
      data: `${XML}${prologue}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    },
    ...extra,
  ]);
}

/** A workbook with sheets of rows. `sheetXml` replaces the rows of the first sheet. */
export function xlsx(sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>, sheetXml?: string): Buffer {
  const names = Object.keys(sheets);
  const cell = (value: string | number, row: number, column: number) => {
    const at = `${String.fromCharCode(65 + column)}${row + 1}`;
    return typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${escape(value)}</t></is></c>`;
  };
  const data = (rows: readonly (readonly (string | number)[])[]) =>
    rows.map((row, at) => `<row r="${at + 1}">${row.map((value, column) => cell(value, at, column)).join('')}</row>`).join('');
  return zip([
    {
      name: '[Content_Types].xml',
      data: types({ 'xl/workbook.xml': 'spreadsheetml.sheet.main', 'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet' }),
    },
    { name: '_rels/.rels', data: relations([['r1', 'officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      data: `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relations(names.map((_, at) => [`s${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const)),
    },
    ...names.map((name, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      data: `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${at === 0 && sheetXml !== undefined ? sheetXml : data(sheets[name]!)}</sheetData></worksheet>`,
    })),
  ]);
}

export interface Slide {
  readonly title: string;
  readonly text: string;
  readonly notes?: string;
}

const shape = (text: string, type: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${escape(text)}</a:t></a:r></a:p></p:txBody></p:sp>`;
const root = (name: string, content: string) =>
  `${XML}<p:${name} xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}">${content}</p:${name}>`;

/** A presentation whose slides are stored in the archive in reverse order. */
export function pptx(slides: readonly Slide[]): Buffer {
  const file = (at: number) => `slide${slides.length - at}.xml`;
  return zip([
    { name: '[Content_Types].xml', data: types({ 'ppt/presentation.xml': 'presentationml.presentation.main' }) },
    { name: '_rels/.rels', data: relations([['r1', 'officeDocument', 'ppt/presentation.xml']]) },
    {
      name: 'ppt/presentation.xml',
      data: root('presentation', `<p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at}"/>`).join('')}</p:sldIdLst>`),
    },
    { name: 'ppt/_rels/presentation.xml.rels', data: relations(slides.map((_, at) => [`s${at}`, 'slide', `slides/${file(at)}`] as const)) },
    ...slides.flatMap(({ title, text, notes }, at) => [
      { name: `ppt/slides/${file(at)}`, data: root('sld', shape(title, 'title') + shape(text, 'body')) },
      ...(notes === undefined
        ? []
        : [
            { name: `ppt/slides/_rels/${file(at)}.rels`, data: relations([['n', 'notesSlide', `../notesSlides/notesSlide${at}.xml`]]) },
            { name: `ppt/notesSlides/notesSlide${at}.xml`, data: root('notes', shape(notes, 'body')) },
          ]),
    ]),
  ]);
}

/** A book with chapters as XHTML. The spine has the given order; the archive has the reverse order. */
export function epub(title: string, chapters: readonly string[], packagePrologue = ''): Buffer {
  return zip([
    { name: 'mimetype', data: 'application/epub+zip' },
    {
      name: 'META-INF/container.xml',
      data: `${XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    },
    {
      name: 'OEBPS/book.opf',
      data: `${XML}${packagePrologue}<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escape(title)}</dc:title></metadata><manifest>${chapters.map((_, at) => `<item id="c${at}" href="text/c%20${at}.xhtml"/>`).join('')}</manifest><spine>${chapters.map((_, at) => `<itemref idref="c${at}"/>`).join('')}</spine></package>`,
    },
    ...chapters.map((chapter, at) => ({ name: `OEBPS/text/c ${at}.xhtml`, data: chapter })).reverse(),
  ]);
}
