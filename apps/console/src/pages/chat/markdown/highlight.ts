import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Root } from 'hast';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({ bash, cpp, css, go, java, json, python, rust, sql, typescript, xml, yaml });
lowlight.registerAlias({ typescript: ['ts', 'tsx', 'js', 'jsx', 'javascript'], bash: ['sh', 'shell', 'zsh', 'console'] });

/** Highlighting longer code takes too long on the main thread. */
const LONGEST = 50_000;

/** More parts take too long to render. */
const MOST_PARTS = 5_000;
/** React cannot render thousands of nested parts. */
const DEEPEST = 50;

/** The highlighted parts of code; null for an unknown language, and for code that would take too long. */
export function highlighted(code: string, language: string): Root | null {
  if (code.length > LONGEST || !lowlight.registered(language)) return null;
  const root = lowlight.highlight(language, code);
  return isDrawable(root) ? root : null;
}

function isDrawable(root: Root): boolean {
  let parts = 0;
  let level: Root['children'] = root.children;
  for (let depth = 0; level.length > 0; depth++) {
    parts += level.length;
    if (parts > MOST_PARTS || depth > DEEPEST) return false;
    level = level.flatMap((part) => ('children' in part ? part.children : []));
  }
  return true;
}
