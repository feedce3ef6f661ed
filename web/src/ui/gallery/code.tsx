import { useMemo, useState } from 'react'
import { CodeBlock, CodeEditor, CodeViewer } from '../code/code-editor.tsx'
import { DiffView } from '../code/diff-view.tsx'
import type { SchemaObject } from '../code/json-schema.ts'
import { formatLines, type LineRange, parseLines } from '../code/lines.ts'
import { Switch } from '../switch.tsx'
import { Block } from './block.tsx'

const schema: SchemaObject = {
  type: 'object',
  required: ['schedule'],
  additionalProperties: false,
  properties: {
    schedule: { type: 'string', description: 'How often the checks run', examples: ['@every 30s'] },
    severity: { enum: ['low', 'medium', 'high'], description: 'How bad a failure is' },
    http: {
      type: 'array',
      description: 'HTTP checks',
      items: {
        type: 'object',
        required: ['name', 'url'],
        properties: {
          name: { type: 'string' },
          url: { type: 'string', description: 'Address to request' },
          method: { enum: ['GET', 'POST', 'PUT'] },
          thresholdMillis: { type: 'integer' },
        },
      },
    },
  },
}
const text = `# Checks of the shop
schedule: "@every 30s"
severity: urgent
http:
  - name: frontend
    url: https://shop.example.com
    method: GET
    thresholdMillis: 1500
  - name: api
`
const deployment = (replicas: number, image: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels:
    app: web
spec:
  replicas: ${replicas}
  template:
    spec:
      containers:
        - name: web
          image: ${image}
          ports:
            - containerPort: 8080
`

export function Code() {
  const [value, setValue] = useState(text)
  const [lines, setLines] = useState<LineRange | undefined>(parseLines('L3-L5'))
  const [isLarge, setLarge] = useState(new URLSearchParams(location.search).has('large'))
  const viewed = useMemo(
    () =>
      isLarge
        ? JSON.stringify(
            Array.from({ length: 60_000 }, (_, i) => ({ id: i, name: `item-${i}`, state: 'Running', tags: { a: i } })),
            null,
            1,
          )
        : deployment(3, 'web:1.4.2'),
    [isLarge],
  )
  return (
    <div className="grid gap-6 xl:grid-cols-2">
      <Block title="Editor with schema">
        <CodeEditor aria-label="Spec" value={value} onChange={setValue} schema={schema} />
      </Block>
      <Block title={`Viewer ${formatLines(lines)} ${(viewed.length / 1e6).toFixed(1)} MB`}>
        <Switch label="5 MB" checked={isLarge} onCheckedChange={setLarge} className="mb-2" />
        <div className="h-72 overflow-hidden rounded-md border border-line">
          <CodeViewer
            aria-label="Config"
            value={viewed}
            language={isLarge ? 'json' : 'yaml'}
            lines={lines}
            onLinesChange={setLines}
          />
        </div>
      </Block>
      <Block title="Difference">
        <div className="h-80">
          <DiffView
            before={deployment(3, 'web:1.4.2')}
            after={deployment(5, 'web:1.5.0').replace('  namespace: shop\n', '')}
          />
        </div>
      </Block>
      <Block title="Command">
        <CodeBlock text="kubectl --kubeconfig ./kubeconfig get pods --all-namespaces" />
      </Block>
    </div>
  )
}
