import { XMLParser } from 'fast-xml-parser';
import { DocumentRefused } from '../document-refused.ts';

/** An element, in document order. Text has the name `#text`. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

type Raw = Record<string, unknown>;

// Numeric references and the five names of XML are decoded. A document type, and with it every custom entity, has already been refused.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  processEntities: true,
  htmlEntities: true,
});

/** The text of an XML part. Throws `DocumentRefused` if it has a document type, because entities are declared there. */
export function xmlText(bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text.replace(/<!DOCTYPE\s+html\b[^[>]{0,300}>/i, '')))
    throw new DocumentRefused(
      'unsafe',
      'This file declares XML entities, which are not allowed. Save it again in its program and upload the new file.',
    );
  return text;
}

function nodeOf(raw: Raw): XmlNode {
  const name = Object.keys(raw).find((key) => key !== ':@') ?? '';
  const attributes = (raw[':@'] ?? {}) as Record<string, string>;
  const value = raw[name];
  if (Array.isArray(value)) return { name, attributes, children: value.map((child: Raw) => nodeOf(child)), text: '' };
  return { name, attributes, children: [], text: String(value) };
}

/** Throws `DocumentRefused`: unsafe for a document type, damaged for XML that is not well-formed. */
export function parseXml(bytes: Buffer): readonly XmlNode[] {
  const text = xmlText(bytes);
  try {
    return (parser.parse(text) as Raw[]).map(nodeOf);
  } catch {
    throw new DocumentRefused(
      'damaged',
      'A part of this file is not well-formed XML. Open the file in its program, save it again and upload the new file.',
    );
  }
}

/** All elements with a name below the nodes, in order. */
export function* elements(nodes: readonly XmlNode[], name: string): Generator<XmlNode> {
  for (const node of nodes) {
    if (node.name === name) yield node;
    yield* elements(node.children, name);
  }
}

export function textOf(node: XmlNode): string {
  return node.name === '#text' ? node.text : node.children.map(textOf).join('');
}
