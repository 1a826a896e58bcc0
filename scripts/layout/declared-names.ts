import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** A name that the code declares. */
export interface DeclaredName {
  readonly path: string
  readonly name: string
  readonly kind: 'function' | 'type' | 'other'
  /** Stands directly in its file, in nothing else. */
  readonly isTopLevel: boolean
}

const TYPES: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.EnumDeclaration,
  SyntaxKind.TypeParameter,
])
const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
])
const OTHERS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.VariableDeclaration,
  SyntaxKind.Parameter,
  SyntaxKind.BindingElement,
  SyntaxKind.PropertySignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.EnumMember,
])
const FUNCTION_VALUES: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.ArrowFunction, SyntaxKind.FunctionExpression])

type Declaration = Node & { readonly name?: Node & { readonly text: string }; readonly initializer?: Node }

const kindOf = ({ kind, initializer }: Declaration): DeclaredName['kind'] | null => {
  if (TYPES.has(kind)) return 'type'
  if (FUNCTIONS.has(kind)) return 'function'
  if (!OTHERS.has(kind)) return null
  return initializer !== undefined && FUNCTION_VALUES.has(initializer.kind) ? 'function' : 'other'
}

/** A variable at the top of a file stands in a list in a statement in the file. */
const isTopLevel = (node: Node): boolean => {
  const holder = node.kind === SyntaxKind.VariableDeclaration ? node.parent.parent.parent : node.parent
  return holder.kind === SyntaxKind.SourceFile
}

/**
 * Every name that the projects' own files declare, read with the compiler: functions, variables, parameters, members and types.
 * @param root     the repository's absolute path
 * @param projects folders with a tsconfig.json
 */
export const declaredNames = (root: string, projects: readonly string[]): DeclaredName[] => {
  const api = new API({ cwd: root })
  try {
    const snapshot = api.updateSnapshot({ openProjects: projects.map((project) => `${root}/${project}/tsconfig.json`) })
    const seen = new Set<string>()
    return snapshot.getProjects().flatMap(({ program }) =>
      program
        .getSourceFileNames()
        .filter((file) => file.startsWith(`${root}/`) && !file.includes('/node_modules/') && !file.endsWith('.d.ts') && !seen.has(file))
        .flatMap((file) => {
          seen.add(file)
          const source = program.getSourceFile(file)
          return source === undefined ? [] : namesIn(source, file.slice(root.length + 1))
        }),
    )
  } finally {
    api.close()
  }
}

const namesIn = (source: Node, path: string): DeclaredName[] => {
  const names: DeclaredName[] = []
  const visit = (node: Declaration): void => {
    const kind = kindOf(node)
    if (kind !== null && node.name?.kind === SyntaxKind.Identifier)
      names.push({ path, name: node.name.text, kind, isTopLevel: isTopLevel(node) })
    node.forEachChild((child) => {
      visit(child as Declaration)
      return undefined
    })
  }
  visit(source)
  return names
}
