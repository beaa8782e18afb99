"""Hosts whose pages WebFetch fetches without a rule.

Measured by asking for some 1 300 well-known hosts of documentation, each with several paths; a host that is not listed
may have been missed. A host counts exactly: its sub-domains, and itself with a dot at the end, do not.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from toolaudit.rules.urls import Url

_HOSTS = """
agentskills.io angular.io asp.net blazor.net bun.sh claude.dev cloud.google.com code.claude.com cypress.io d3js.org
dev.mysql.com devcenter.heroku.com developer.android.com developer.apple.com developer.mozilla.org doc.rust-lang.org
docs.aws.amazon.com docs.djangoproject.com docs.flutter.dev docs.getdbt.com docs.netlify.com docs.oracle.com
docs.python.org docs.spring.io docs.stripe.com docs.swift.org docs.unity.com docs.unrealengine.com dotnet.microsoft.com
en.cppreference.com expressjs.com fastapi.tiangolo.com flask.palletsprojects.com getbootstrap.com git-scm.com gradle.org
graphql.org hibernate.org httpd.apache.org jestjs.io jquery.com jupyter.org keras.io kotlinlang.org kubernetes.io
laravel.com learn.microsoft.com matplotlib.org maven.apache.org modelcontextprotocol.io nextjs.org nginx.org nodejs.org
numpy.org pandas.pydata.org platform.claude.com prisma.io pytorch.org react.dev reactnative.dev reactrouter.com redis.io
redux.js.org requests.readthedocs.io ruby-doc.org scikit-learn.org selenium.dev spark.apache.org symfony.com
tailwindcss.com threejs.org tomcat.apache.org vuejs.org webpack.js.org www.ansible.com www.docker.com www.mongodb.com
www.php.net www.postgresql.org www.sqlite.org www.tensorflow.org www.terraform.io www.typescriptlang.org
"""

HOSTS: Final = frozenset(_HOSTS.split())
"""Every page of these."""

SECTIONS: Final = MappingProxyType(
    {
        "claude.com": "/docs",
        "github.com": "/anthropics",
        "go.dev": "/doc",
        "huggingface.co": "/docs",
        "vercel.com": "/docs",
        "wordpress.org": "/documentation",
        "www.kaggle.com": "/docs",
    }
)
"""Host -> the path at or below which its pages are."""


def preapproved(url: Url) -> bool:
    """Whether the page is fetched without a rule. Scheme, port and user information make no difference."""
    section = SECTIONS.get(url.host)
    return url.host in HOSTS or (section is not None and (url.path + "/").startswith(section + "/"))
