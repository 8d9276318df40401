// The boundaries of this repository as rules for oxlint: allowed imports, reads of the environment, the pure domain, and banned words.
// tools/check-boundaries.mjs proves that each rule reports a violation.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const ADAPTER = /^@parlance\/[^/]+\/(sqlite|mongo|kafka|embedded|files|s3)$|^@parlance\/sqlite$/;
const DRIVER = /^(node:sqlite|mongodb|kafkajs|@aws-sdk\/.*)$/;
const DOMAIN_MAY_IMPORT = /^@parlance\/(decider|limits)$/;
const DOMAIN_SPEC_MAY_IMPORT = /^(@parlance\/decider(\/specify)?|@parlance\/limits|@jest\/globals|fast-check)$/;
const MAY_READ_ENVIRONMENT =
  /^(tools|bench|faults|deploy|libs\/testing)\/|^apps\/[^/]+\/test\/|(^|\/)config\/|(^|\/)config\.ts$|\.spec\.ts$/;

/** A separately published package, for Node and browsers. */
const CLIENT = 'libs/client';
/** Runs in browsers. */
const CONSOLE = 'apps/console';

/** Where a file is: `apps/edge/src/http/a.ts` is in the folder `http` of the project apps/edge. */
function placeOf(file) {
  const path = relative(root, file).split(sep).join('/');
  const [, project, kind, name, folder] = /^((apps|libs)\/([^/]+))\/(?:src\/(?:([^/]+)\/)?)?/.exec(path) ?? [];
  const isSpec = path.endsWith('.spec.ts') || path.startsWith(`${project}/test/`);
  return { path, project, kind, name, folder, isSpec, isModule: path.endsWith('.module.ts') };
}

const isApp = (name) => existsSync(join(root, 'apps', name));

const declared = new Map();

/** Whether the project's package.json names this package of the workspace. Nx and npm read the dependency there. */
function isDeclared(project, name) {
  const file = join(root, project, 'package.json');
  if (!declared.has(project)) declared.set(project, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  const manifest = declared.get(project);
  if (manifest === undefined) return true;
  return [manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })].includes(`@parlance/${name}`);
}

const STARTS_NO_WORKFLOW = /^(projections|contracts|adapters)$/;

/** Why a file in one folder of a service may not import a file of another folder; undefined if it may. */
function folderObjection(folder, target) {
  if (target === 'workflows' && STARTS_NO_WORKFLOW.test(folder))
    return 'workflows are started by http/ and policies/: projections, contracts and adapters must not import them';
  if (folder === 'http' && target === 'policies') return 'a controller imports no policy: shared work belongs in workflows/ or commands/';
  return undefined;
}

/** Why this file may not have this import; undefined if it may. */
function objection(place, file, source) {
  if (source.startsWith('.')) {
    const target = placeOf(resolve(dirname(file), source));
    if (place.project !== undefined && target.project !== place.project) return 'import another project by its package name';
    if (place.kind === 'apps' && place.folder === 'domain' && !place.isSpec && target.folder !== 'domain')
      return 'the domain is pure: it imports nothing outside its folder but @parlance/decider and @parlance/limits';
    if (place.kind === 'apps' && !place.isSpec) return folderObjection(place.folder, target.folder);
    return undefined;
  }
  if (place.kind === 'apps' && place.folder === 'domain' && !(place.isSpec ? DOMAIN_SPEC_MAY_IMPORT : DOMAIN_MAY_IMPORT).test(source))
    return 'the domain is pure: it imports nothing outside its folder but @parlance/decider and @parlance/limits';
  const name = /^@parlance\/([^/]+)/.exec(source)?.[1];
  if (place.project === CLIENT && !place.isSpec) return 'the client is a separate package: it imports nothing, so that it runs anywhere';
  if (place.project === CONSOLE && !place.isSpec)
    return name === undefined || name === 'client'
      ? undefined
      : 'the console runs in browsers: the client is the only package of this repository that it may import';
  if (name === 'client' && !place.isSpec)
    return 'the client is for the console and for programs outside of the product: services do not import it';
  if (name !== undefined && isApp(name)) {
    if (place.kind === 'libs') return 'a library may not import an app';
    if (place.kind === 'apps' && place.name !== 'parlance') return 'an app may not import another app: talk through libs/messaging';
  }
  if (
    place.kind === 'apps' &&
    !place.isSpec &&
    !place.isModule &&
    place.folder !== 'adapters' &&
    (ADAPTER.test(source) || DRIVER.test(source))
  )
    return 'only *.module.ts and adapters/ know which adapter is in use';
  if (name !== undefined && place.project !== undefined && !isDeclared(place.project, name))
    return `${place.project}/package.json does not name this dependency`;
  return undefined;
}

const BUSES = /^(CommandBus|QueryBus)$/;

/** A command or query that a service declares without src/bus.ts has no registered handler. */
const declaresMessages = ({ kind, isSpec }, { source, specifiers = [] }) =>
  kind === 'apps' && !isSpec && source?.value === '@nestjs/cqrs' && specifiers.some(({ imported }) => !BUSES.test(imported?.name));

const imports = {
  create(context) {
    const place = placeOf(context.filename);
    const check = (node) => {
      const source = node.source?.value;
      const message = declaresMessages(place, node)
        ? 'declare commands and queries with src/bus.ts, which registers their handlers'
        : typeof source === 'string'
          ? objection(place, context.filename, source)
          : undefined;
      if (message !== undefined) context.report({ node, message: `${message} (${source})` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check,
    };
  },
};

const noExportAll = {
  create: (context) => ({
    ExportAllDeclaration: (node) => context.report({ node, message: 'list the public names: no `export *`' }),
  }),
};

const isProcess = (node) =>
  (node.type === 'Identifier' && node.name === 'process') || (node.type === 'MemberExpression' && propertyOf(node) === 'process');
const propertyOf = (node) => node.property?.value ?? node.property?.name;

const environment = {
  create(context) {
    if (MAY_READ_ENVIRONMENT.test(placeOf(context.filename).path)) return {};
    const message = 'configuration is read in one file per service (config.ts or config/), typed, validated, injected';
    return {
      MemberExpression(node) {
        if (propertyOf(node) === 'env' && isProcess(node.object)) context.report({ node, message });
      },
      VariableDeclarator(node) {
        const takesEnv = node.id.type === 'ObjectPattern' && node.id.properties.some(({ key }) => key?.name === 'env');
        if (takesEnv && node.init && isProcess(node.init)) context.report({ node, message });
      },
      ImportSpecifier(node) {
        if (/^(node:)?process$/.test(node.parent.source.value) && node.imported.name === 'env') context.report({ node, message });
      },
    };
  },
};

const pureDomain = {
  create(context) {
    const { kind, folder, isSpec } = placeOf(context.filename);
    if (kind !== 'apps' || folder !== 'domain' || isSpec) return {};
    const report = (node) =>
      context.report({ node, message: 'the domain is pure and synchronous: time, ids and randomness arrive in the command' });
    const isAsync = (node) => node.async && report(node);
    return {
      MemberExpression(node) {
        const name = node.object.type === 'Identifier' ? `${node.object.name}.${propertyOf(node)}` : '';
        if (/^(Date\.now|Math\.random|performance\.now|(crypto|process|console)\..*)$/.test(name)) report(node);
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node);
        if (node.callee.name === 'Promise') report(node);
      },
      CallExpression(node) {
        if (/^(setTimeout|setInterval|setImmediate|queueMicrotask|fetch)$/.test(node.callee.name ?? '')) report(node);
      },
      FunctionDeclaration: isAsync,
      FunctionExpression: isAsync,
      ArrowFunctionExpression: isAsync,
    };
  },
};

const UNCLEAR = /\bcan not\b|\b(?:nobody|somebody|anybody|whoever)\b/i;
const DIALECT = /\b(?:anew|deeds?|mend(?:s|ed|ing)?)\b/i;
const OPENS_WITH_OF = /^[\s*]*Of\b/;
/** Checks comments and texts that people read. A single word is a name, so only sentences are checked. */
const plainWords = {
  create(context) {
    const { kind, isSpec } = placeOf(context.filename);
    if (kind === undefined) return {};
    const patterns = isSpec ? [DIALECT] : [UNCLEAR, DIALECT];
    const check = (node, text) => {
      for (const pattern of text.includes(' ') ? patterns : []) {
        const word = pattern.exec(text)?.[0];
        if (word !== undefined) context.report({ node, message: `replace "${word}" by a plain word in this text` });
      }
    };
    const checkComments = () => {
      for (const comment of context.sourceCode.getAllComments()) {
        const word = DIALECT.exec(comment.value)?.[0];
        if (word !== undefined) context.report({ node: comment, message: `replace "${word}" by a plain word` });
        if (OPENS_WITH_OF.test(comment.value)) context.report({ node: comment, message: 'name the subject: no comment opens with "Of"' });
      }
    };
    return {
      Program: checkComments,
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};

export default {
  meta: { name: 'parlance' },
  rules: { imports, environment, 'no-export-all': noExportAll, 'pure-domain': pureDomain, 'plain-words': plainWords },
};
