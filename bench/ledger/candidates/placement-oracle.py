#!/usr/bin/python3
"""Asks OpenStack Placement (Debian's python3-placement) the queries of compare-placement.ts.

Reads one JSON document a line: {"model": [provider...], "queries": [query string...]}. Writes one line for each: a list with, for each
query, the status and the candidates as sorted texts (allocations, then mappings, by provider name).
"""
import json
import logging
import sys
import warnings

warnings.simplefilter('ignore')
logging.disable(logging.CRITICAL)

import sqlalchemy as sa  # noqa: E402
import webob  # noqa: E402
from oslo_config import cfg, fixture as config_fixture  # noqa: E402
from oslo_policy import opts as policy_opts  # noqa: E402
from oslo_utils import uuidutils  # noqa: E402
from placement import conf, context, deploy, policy  # noqa: E402
from placement.db.sqlalchemy import models  # noqa: E402
from placement import db_api  # noqa: E402
from placement.objects import (consumer, inventory, project, resource_class, resource_provider, trait, user)  # noqa: E402
from placement.tests import fixtures  # noqa: E402


def start():
    """A fresh empty service in memory; what it returns is to be cleaned up."""
    settings = config_fixture.Config(cfg.ConfigOpts())
    settings.setUp()
    conf.register_opts(settings.conf)
    settings.config(group='api', auth_strategy='noauth2')
    database = fixtures.Database(settings, set_config=True)
    database.setUp()
    policy_opts.set_defaults(settings.conf)
    settings.conf([], default_config_files=[])
    ctx = context.RequestContext()
    ctx.config = settings.conf
    return settings, database, ctx, deploy.loadapp(settings.conf)


def ensure(make):
    try:
        make()
    except Exception:  # it exists already
        pass


@db_api.placement_context_manager.writer
def put_use(ctx, rp_id, class_id, consumer_uuid, used):
    ctx.session.execute(sa.insert(models.Allocation.__table__).values(
        resource_provider_id=rp_id, resource_class_id=class_id, consumer_id=consumer_uuid, used=used))


def fill(ctx, model):
    owner = user.User(ctx, external_id='u')
    owner.create()
    tenant = project.Project(ctx, external_id='p')
    tenant.create()
    for record in model:
        rp = resource_provider.ResourceProvider(
            ctx, uuid=record['uuid'], name=record['name'], parent_provider_uuid=record.get('parentUuid'))
        rp.create()
        stock = []
        for item in record['inventories']:
            name = item['resourceClass']
            if name.startswith('CUSTOM_'):
                ensure(lambda: resource_class.ResourceClass(ctx, name=name).create())
            # Placement wants a total of at least 1: what has no capacity is all reserved.
            total = max(1, item['capacity'])
            stock.append(inventory.Inventory(
                resource_provider=rp, resource_class=name, total=total, reserved=total - item['capacity'],
                min_unit=item['minUnit'], max_unit=item['maxUnit'], step_size=item['stepSize'], allocation_ratio=1.0))
        rp.set_inventory(stock)
        for item in record['inventories']:
            if item['used']:
                who = consumer.Consumer(ctx, uuid=uuidutils.generate_uuid(), user=owner, project=tenant)
                who.create()
                put_use(ctx, rp.id, ctx.rc_cache.id_from_string(item['resourceClass']), who.uuid, item['used'])
        traits = []
        for name in record['traits']:
            if name.startswith('CUSTOM_'):
                ensure(lambda: trait.Trait(ctx, name=name).create())
            traits.append(trait.Trait.get_by_name(ctx, name))
        rp.set_traits(traits)
        rp.set_aggregates(record['aggregates'])
    for name in ('CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C'):
        ensure(lambda: trait.Trait(ctx, name=name).create())
    ensure(lambda: resource_class.ResourceClass(ctx, name='CUSTOM_VF').create())


def ask(app, query, names):
    request = webob.Request.blank('/allocation_candidates?' + query, headers={
        'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', 'accept': 'application/json'})
    response = request.get_response(app)
    if response.status_int != 200:
        return {'status': response.status_int, 'detail': response.text[:400]}
    texts = []
    for candidate in response.json['allocation_requests']:
        taken = sorted('%s %s:%d' % (names[uuid], name, amount)
                       for uuid, what in candidate['allocations'].items() for name, amount in what['resources'].items())
        mapped = sorted('%s->%s' % (suffix, names[uuid])
                        for suffix, uuids in candidate['mappings'].items() for uuid in uuids)
        texts.append('%s | %s' % (', '.join(taken), ', '.join(mapped)))
    return {'status': 200, 'candidates': sorted(texts)}


def main():
    for line in sys.stdin:
        job = json.loads(line)
        settings, database, ctx, app = start()
        fill(ctx, job['model'])
        names = {record['uuid']: record['name'] for record in job['model']}
        print(json.dumps([ask(app, query, names) for query in job['queries']]), flush=True)
        database.cleanUp()
        settings.cleanUp()
        policy.reset()


main()
