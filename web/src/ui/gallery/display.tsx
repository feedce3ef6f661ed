import { Plus } from 'lucide-react'
import { Age, DateTime } from '../age.tsx'
import { AvatarStack } from '../avatar-stack.tsx'
import { Avatar } from '../avatar.tsx'
import { Badge } from '../badge.tsx'
import { Breadcrumbs } from '../breadcrumbs.tsx'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { CopyButton, CopyText } from '../copy-button.tsx'
import { CountBadge } from '../count-badge.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorPanel } from '../error-panel.tsx'
import { Bytes, Cost, Duration, Millis, Percent } from '../figures.tsx'
import { HealthBar } from '../health-bar.tsx'
import { HoverCard } from '../hover-card.tsx'
import { JsonView } from '../json-view.tsx'
import { Kbd } from '../kbd.tsx'
import { KeyValueList } from '../key-value.tsx'
import { MiddleText } from '../middle-text.tsx'
import { CollapsibleSection, SectionHeader } from '../section.tsx'
import { SkeletonLines } from '../skeleton.tsx'
import { Spinner } from '../spinner.tsx'
import { StatRow, StatTile } from '../stat-tile.tsx'
import { HealthMark, Status } from '../status.tsx'
import { TagList } from '../tag-list.tsx'
import { UsageBar } from '../usage-bar.tsx'
import { Block, Row } from './block.tsx'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)
const tags = { app: 'checkout', namespace: 'shop', account: '4711', name: 'web', region: 'eu-west-1', tier: 'front' }

export function Display() {
  return (
    <>
      <Block title="State">
        <Row>
          <Status status="healthy" />
          <Status status="warning" />
          <Status status="unhealthy" />
          <Status status="unknown" />
          <Status status="RUNNING" />
          <HealthMark health="healthy" />
          <HealthMark health="warning" />
          <HealthMark health="unhealthy" />
          <HealthMark health="unknown" />
          <Badge>neutral</Badge>
          <Badge tone="accent">accent</Badge>
          <Badge tone="ok">ok</Badge>
          <Badge tone="warn">warning</Badge>
          <Badge tone="bad">failed</Badge>
          <CountBadge count={12} />
          <CountBadge count={640} alarming />
          <CountBadge count={25_300} />
          <Spinner label="Loading" />
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </Row>
        <div className="grid max-w-xl gap-3">
          <HealthBar counts={{ healthy: 120, warning: 6, unhealthy: 2, unknown: 14 }} figures />
          <UsageBar percent={42} label="CPU" />
          <UsageBar percent={82} label="Memory">
            3.3 of 4 GB
          </UsageBar>
          <UsageBar percent={134} label="Disk" />
        </div>
      </Block>
      <Block title="Figures and dates">
        <Row>
          <Age value={ago(12)} suffix=" ago" />
          <Age value={ago(4000)} />
          <Age value={ago(86400 * 70)} />
          <DateTime value={ago(86400)} />
          <Millis ms={843} />
          <Millis ms={1543} />
          <Duration ms={93_784_000} />
          <Bytes bytes={1_620_000_000} />
          <Percent percent={81.2} highlight />
          <Cost dollars={4.2} />
          <Cost dollars={2543} compact />
        </Row>
        <StatRow>
          <StatTile label="Uptime" hint="1,204 passed, 3 failed">
            99.75%
          </StatTile>
          <StatTile label="Latency 95 / 97 / 99">
            <Millis ms={120} /> / <Millis ms={340} /> / <Millis ms={1200} />
          </StatTile>
          <StatTile label="Last run" hint="next in 12s">
            <Age value={ago(18)} suffix=" ago" />
          </StatTile>
        </StatRow>
      </Block>
      <Block title="Names">
        <Row>
          <Avatar name="Ada Lovelace" />
          <Avatar name="grace" size={32} />
          <AvatarStack
            people={['Ada L', 'Grace H', 'Joan C', 'Lin B', 'Mary S', 'Eve X', 'Bob Y'].map((name) => ({ name }))}
          />
          <CopyText text="0190f1a2-7c1e" />
          <CopyButton text="copied" />
          <span className="w-48 border border-dashed border-line">
            <MiddleText text="payments-service-7d9f8b6c5d-x2k4q-with-a-long-name" />
          </span>
          <HoverCard content="More about it">
            <a href="#more" className="text-accent-text underline">
              Rest here for a second
            </a>
          </HoverCard>
        </Row>
        <TagList tags={tags} />
        <div className="mt-3">
          <Breadcrumbs
            items={[
              <a key="c" href="#c">
                Catalog
              </a>,
              <a key="t" href="#t">
                Kubernetes::Pod
              </a>,
              'payments-service-7d9f8b6c5d-x2k4q',
            ]}
          />
        </div>
      </Block>
      <Block title="Sections">
        <div className="grid gap-4 lg:grid-cols-2">
          <Card
            title="Details"
            actions={
              <Button size="sm" icon={Plus}>
                Add
              </Button>
            }
          >
            <KeyValueList
              items={[
                ['Type', 'Kubernetes::Pod'],
                ['Namespace', 'shop'],
                ['Tags', <TagList key="t" tags={tags} wrap max={9} />],
                null,
              ]}
            />
          </Card>
          <Card title="JSON" actions={<CopyButton text={() => JSON.stringify(tags)} />}>
            <JsonView
              value={{
                kind: 'Pod',
                metadata: { name: 'web', labels: tags },
                replicas: 3,
                ready: true,
                ports: [80, 443],
                none: null,
                deep: { a: { b: 1 } },
              }}
            />
          </Card>
          <Card flush>
            <EmptyState
              action={
                <Button variant="primary" icon={Plus}>
                  Add connection
                </Button>
              }
              title="No connections yet"
            >
              A connection holds an address and its credentials, so that checks and scrapers can use it by name.
            </EmptyState>
          </Card>
          <div>
            <ErrorPanel
              className="m-0"
              error={new Error('Connection refused', { cause: 'ECONNREFUSED 10.0.0.4:5432' })}
              onRetry={() => undefined}
            />
            <SectionHeader title="Related" count={4} className="mt-4" />
            <CollapsibleSection title="Playbooks" count={2}>
              <SkeletonLines />
            </CollapsibleSection>
          </div>
        </div>
      </Block>
    </>
  )
}
