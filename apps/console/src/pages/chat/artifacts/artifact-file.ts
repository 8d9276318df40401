import { fileNameOf } from '../export/file-name.ts';
import type { Artifact } from './artifacts.ts';

const EXTENSIONS = { html: 'html', svg: 'svg', markdown: 'md', mermaid: 'mmd' } as const;

/** The artifact as a file. Its type is plain text, so that a browser that opens the file instead of saving it runs nothing. */
export const fileOf = ({ kind, code }: Artifact, name: string): [Blob, string] => [
  new Blob([code], { type: 'text/plain;charset=utf-8' }),
  fileNameOf(name, EXTENSIONS[kind]),
];
