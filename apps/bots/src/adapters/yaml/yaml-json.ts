// Node runs this source without compiling it in tests: only packages, and erasable types.
import { isScalar, parseDocument, visit } from 'yaml';

/** The JSON of a YAML text, or why it is refused, as the end of a sentence. */
export type YamlResult = { readonly json: string } | { readonly fault: string };

class Fault extends Error {}

/**
 * Reads one document of YAML 1.2 with the types of JSON. Refuses features by which a short text can expand to a large or different value:
 * anchors, aliases, tags, merge keys, directives, repeated keys, and keys that are not texts.
 */
export function jsonOfYaml(text: string): YamlResult {
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: true,
      stringKeys: true,
      strict: true,
      prettyErrors: false,
      logLevel: 'error',
    });
    // Tags are refused below, with their own message.
    const [first] = document.errors.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED');
    if (first) return { fault: `is not valid at character ${first.pos[0] + 1} (${first.code})` };
    if (document.directives?.yaml.explicit) return { fault: 'must not have directives' };
    visit(document, {
      Alias: () => refused('must not have aliases'),
      Node: (_, node) => {
        if ((node as { anchor?: string }).anchor !== undefined) refused('must not have anchors');
        if (node.tag !== undefined) refused('must not have tags');
        if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) refused('has a number out of range');
      },
      Pair: (_, { key }) => {
        if (isScalar(key) && key.value === '<<') refused('must not have merge keys');
      },
    });
    return { json: JSON.stringify(document.toJS({ maxAliasCount: 0 })) ?? 'null' };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    // The package has no depth limit of its own.
    return { fault: 'is nested too deeply' };
  }
}

function refused(message: string): never {
  throw new Fault(message);
}
